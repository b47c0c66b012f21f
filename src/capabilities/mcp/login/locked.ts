import { randomUUID } from 'node:crypto'
import { open, readFile, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { orNothing } from '../../../kit/files/below.ts'

/** More than the work takes, ms. Somebody who has held the lock for longer was killed. */
const usuallyMs = 60_000
const lookAgainMs = 100

/** Runs work while nobody else holds this lock, a file, in this process or another one on the same disk. */
export async function locked<T>(path: string, work: () => Promise<T>, longestMs = usuallyMs): Promise<T> {
  const own = randomUUID()
  await waitFor(path, own, longestMs)
  try {
    return await work()
  } finally {
    if ((await holderOf(path)) === own) await rm(path, { force: true })
  }
}

/** How long somebody has held it is measured here: the disk may go by another machine's clock. */
async function waitFor(path: string, own: string, longestMs: number): Promise<void> {
  let seen: string | undefined
  let since = 0
  while (!(await take(path, own))) {
    const holder = await holderOf(path)
    if (holder === undefined || holder !== seen) since = performance.now()
    else if (performance.now() - since > longestMs) await rm(path, { force: true })
    seen = holder
    await sleep(lookAgainMs)
  }
}

async function take(path: string, own: string): Promise<boolean> {
  const file = await open(path, 'wx', 0o600).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code !== 'EEXIST') throw thrown
  })
  if (file === undefined) return false
  try {
    await file.writeFile(own)
  } catch (thrown) {
    await rm(path, { force: true })
    throw thrown
  } finally {
    await file.close()
  }
  return true
}

/** Undefined if it was given back meanwhile. */
const holderOf = (path: string): Promise<string | undefined> => orNothing(() => readFile(path, 'utf8'))
