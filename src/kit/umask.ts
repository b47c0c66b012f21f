import { statSync } from 'node:fs'

const ofOthers = 0o007
const ofGroup = 0o070
/** What is created in such a folder belongs to its group. */
const setgid = 0o2000

/** The umasks that this process had before the one it has now. It was started with the first. */
const earlier: number[] = []

/**
 * Makes private what this process creates from here on in a data directory, whoever made that. Returns what undoes it.
 */
export function keepPrivate(directory: string): () => void {
  const before = process.umask()
  process.umask(before | ofOthers | (isShared(directory) ? 0 : ofGroup))
  earlier.push(before)
  return () => void process.umask(earlier.pop() ?? before)
}

/** Starts a program whose files aren't all Bobbin's own: its umask is the one that the operator chose. */
export function withGivenUmask<T>(start: () => T): T {
  const [given] = earlier
  if (given === undefined) return start()
  const own = process.umask(given)
  try {
    return start()
  } finally {
    process.umask(own)
  }
}

/** Only on purpose is access given to a group and nobody else, or made to last. */
function isShared(directory: string): boolean {
  const { mode = 0 } = statSync(directory, { throwIfNoEntry: false }) ?? {}
  return (mode & ofGroup) !== 0 && ((mode & ofOthers) === 0 || (mode & setgid) !== 0)
}
