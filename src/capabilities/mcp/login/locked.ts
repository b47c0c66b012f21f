import { open, rm, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** More than the work takes, ms. Somebody who has held the lock for longer was killed. */
const longestMs = 60_000
const lookAgainMs = 100

/** Runs work while nobody else holds this lock, a file, in this process or another one on the same disk. */
export async function locked<T>(path: string, work: () => Promise<T>): Promise<T> {
  while (!(await take(path))) await sleep(lookAgainMs)
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

async function take(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600)
    await file.close()
    return true
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown
  }
  // It may have been given back meanwhile.
  const since = await stat(path).then(({ mtimeMs }) => mtimeMs, Date.now)
  if (Date.now() - since > longestMs) await rm(path, { force: true })
  return false
}
