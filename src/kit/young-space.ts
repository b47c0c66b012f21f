import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Both halves of it, bytes. More would save little time. */
const enough = 8 * 1024 * 1024
const lookMs = 500

/**
 * Lets V8's space for new objects grow, which `bin.js` keeps small while modules load. In 1 MB, a busy bot would
 * collect garbage all the time, and move to the old space what is garbage a moment later. V8 takes no limit once it
 * runs, so the size is checked here.
 */
export function growYoungSpace(): void {
  setFlagsFromString('--semi-space-growth-factor=2')
  const timer = setInterval(() => {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
    if (young === undefined || young.space_size < enough) return
    setFlagsFromString('--semi-space-growth-factor=1')
    clearInterval(timer)
  }, lookMs).unref()
}
