/**
 * A server may say without end that its tools have changed, and each time all of them are listed and stored. So `work`
 * runs once at a time, with a pause after it, and whatever was asked meanwhile is one more run.
 */
export function coalesced(work: () => Promise<void>, pause: () => Promise<unknown>): () => void {
  let isRunning = false
  let isWanted = false
  const run = async () => {
    isRunning = true
    while (isWanted) {
      isWanted = false
      await work()
      await pause()
    }
    isRunning = false
  }
  return () => {
    isWanted = true
    if (!isRunning) void run()
  }
}
