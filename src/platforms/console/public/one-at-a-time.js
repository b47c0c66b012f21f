/**
 * A function that does the work, unless it is under way: then it is done once more afterwards, however often it was
 * asked for meanwhile.
 * @param {() => Promise<unknown>} work Doesn't fail.
 */
export function oneAtATime(work) {
  let running = false
  let again = false
  return async () => {
    again = true
    if (running) return
    running = true
    while (again) {
      again = false
      await work()
    }
    running = false
  }
}
