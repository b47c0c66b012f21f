import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { removeTree } from '../../../kit/files/remove-tree.ts'
import { isAlive } from '../../../kit/process.ts'
import { startOf } from '../../../kit/sandbox/processes.ts'
import { asUnavailable, whenDescriptors } from '../../../kit/unavailable.ts'

/** Every process of a server has this variable, and so have all that it starts. */
export const markName = 'BOBBIN_MCP_SERVER'

interface Owner {
  host: string
  pid: number
  /** Tells the process from a later one with the same number. */
  start: string | undefined
}

/**
 * Marks the servers of this bot, so that the next one finds and ends them if this one is killed. A file in the data
 * directory says that there may be some; it goes when all have ended.
 */
export class Marks {
  readonly #folder: string
  readonly #data: string
  readonly #own = randomUUID()
  #isWritten = false
  #count = 0
  #folders = 0

  constructor(dataDir: string) {
    this.#data = join(dataDir, 'mcp')
    this.#folder = join(this.#data, 'running')
  }

  /** A mark for a server that is about to start. */
  async next(): Promise<string> {
    if (!this.#isWritten) {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      const owner: Owner = { host: hostname(), pid: process.pid, start: startOf(process.pid) }
      await writeFile(join(this.#folder, this.#own), JSON.stringify(owner), { mode: 0o600 })
      this.#isWritten = true
    }
    return `${this.#own}/${++this.#count}`
  }

  /**
   * A folder for a server that belongs to one thread. It goes with the server, and the next one has another: it may
   * begin before this one has ended.
   */
  folderFor(thread: string, server: string): string {
    return join(this.#data, 'threads', this.#own, thread, `${server}.${++this.#folders}`)
  }

  /** All servers of this bot have ended. */
  async clear(): Promise<void> {
    if (this.#isWritten) await this.#forget(this.#own)
  }

  /** Ends the servers of bots that are gone. Returns how many processes there were. */
  async sweep(): Promise<number> {
    const names = await readdir(this.#folder).catch(() => [])
    let ended = 0
    for (const name of names) {
      const path = join(this.#folder, name)
      const owner = await ownerIn(path)
      if (name === this.#own || owner === undefined || isThere(owner)) continue
      ended += await endMarked(`${name}/`)
      await this.#forget(name)
    }
    return ended
  }

  async #forget(name: string): Promise<void> {
    await removeTree(join(this.#data, 'threads', name))
    await rm(join(this.#folder, name), { force: true })
  }
}

/** Undefined if it can't be read, or belongs to another machine. */
async function ownerIn(path: string): Promise<Owner | undefined> {
  try {
    const owner = JSON.parse(await readFile(path, 'utf8')) as Owner
    return owner.host === hostname() ? owner : undefined
  } catch {
    return undefined
  }
}

const isThere = ({ pid, start }: Owner): boolean => (start === undefined ? isAlive(pid) : startOf(pid) === start)

/** Killed processes are gone within a moment, unless their disk hangs. */
const mostTries = 100

/**
 * Ends all processes whose mark begins like this, even those that left their group, and returns how many there were.
 * Only Linux shows marks.
 */
export async function endMarked(start: string): Promise<number> {
  const ended = new Set<number>()
  // One may start another before it is gone.
  for (let tries = 0; tries < mostTries && process.platform === 'linux'; tries++) {
    const found = await whenDescriptors(async () => markedWith(start))
    if (found.length === 0) break
    for (const pid of found) kill(pid)
    for (const pid of found) ended.add(pid)
    await sleep(20)
  }
  return ended.size
}

const markedWith = (start: string): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid && isMarked(pid, start))

function isMarked(pid: number, start: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
      .split('\0')
      .some((one) => one === `${markName}=${start}` || (start.endsWith('/') && one.startsWith(`${markName}=${start}`)))
  } catch (thrown) {
    if (asUnavailable(thrown)?.code === 'too_many_files') throw thrown
    // It is gone, or somebody else's.
    return false
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ESRCH') throw thrown
  }
}
