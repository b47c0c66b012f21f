import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '../../../kit/json.ts'
import { asUnavailable } from '../../../kit/unavailable.ts'
import type { KeptLogin } from '../port.ts'
import { locked } from './locked.ts'
import { sealed, unsealed } from './sealed.ts'

/** A login that is in a file, or will be. */
export interface FiledLogin extends KeptLogin {
  file: string
}

export interface DroppableLogin extends FiledLogin {
  /** Whether there is one, readable or not. */
  exists(): Promise<boolean>
  drop(): Promise<void>
}

const folderIn = (dataDir: string): string => join(dataDir, 'mcp', 'logins')

/**
 * The file of a login. It is bound to the address, so another server of the same name gets nothing of it, and to the
 * workspace, if each has its own.
 */
export function loginFile(dataDir: string, server: string, url: string, place = ''): string {
  const bound = place === '' ? url : `${url}\n${place}`
  return join(folderIn(dataDir), `${server}-${createHash('sha256').update(bound).digest('hex').slice(0, 16)}.json`)
}

/** The files of all logins to servers of this name. */
export async function loginFilesOf(dataDir: string, server: string): Promise<string[]> {
  const all = await readdir(folderIn(dataDir)).catch(() => [])
  const own = all.filter(
    (file) => file.startsWith(`${server}-`) && /^[0-9a-f]{16}\.json$/.test(file.slice(server.length + 1)),
  )
  return own.map((file) => join(folderIn(dataDir), file))
}

/**
 * What a login left: tokens, and who we are to the server that gives them. Only the bot's user may read the file, and
 * with a key only who has it.
 */
export function keptLogin(path: string, key: string | undefined): DroppableLogin {
  const folder = dirname(path)
  const file = basename(path)
  const text = () =>
    readFile(path, 'utf8').catch((thrown: NodeJS.ErrnoException) => {
      if (thrown.code !== 'ENOENT') throw thrown
    })
  return {
    file,
    exists: async () => (await text()) !== undefined,
    async read() {
      const written = await text()
      return written === undefined ? undefined : (JSON.parse(await unsealed(written, key)) as JsonObject)
    },
    async write(value) {
      const plain = JSON.stringify(value)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const text = key === undefined ? plain : await sealed(plain, key)
      // Somebody else may write at the same time.
      const temporary = `${path}.${randomUUID()}.new`
      try {
        await writeFile(temporary, text, { mode: 0o600 })
        await rename(temporary, path)
      } catch (thrown) {
        await rm(temporary, { force: true })
        throw thrown
      }
    },
    async alone(work) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      return locked(`${path}.lock`, work)
    },
    async drop() {
      // Also what a process was writing when it was killed.
      const own = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith(file))
      for (const name of own) await rm(join(folder, name), { force: true })
    },
  }
}

/** How soon it is tried again to keep a login, ms. */
const againMs = 200

interface NotYetKept extends FiledLogin {
  /** Waits out an outage, until `over`. */
  keep(over: AbortSignal): Promise<void>
}

/** One that is kept nowhere until somebody has confirmed it. It begins with what is known of the other. */
export function notYetKept(real: FiledLogin): NotYetKept {
  let own: JsonObject | undefined
  return {
    file: real.file,
    // Tokens of before would be taken for the new login.
    read: async () => own ?? without(await real.read().catch(() => undefined), 'tokens'),
    async write(value) {
      own = value
    },
    alone: (work) => work(),
    async keep(over) {
      while (own !== undefined) {
        try {
          return await real.write(own)
        } catch (thrown) {
          const fault = asUnavailable(thrown)
          if (!fault?.passes) throw thrown
          await sleep(againMs, undefined, { signal: over }).catch(() => {})
          if (over.aborted) throw fault
        }
      }
    },
  }
}

const without = (value: JsonObject | undefined, name: string): JsonObject | undefined =>
  value && Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))
