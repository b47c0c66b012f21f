import { Failure } from '../../kit/failure.ts'
import { dropNote, readNote, writeNote } from '../../store/notes.ts'
import type { Store } from '../../store/store.ts'
import { isServerName, type McpSettings, nameRule, type ServerSettings, serverEntry } from './settings.ts'

/** Servers that were added while the bot ran, besides those of the configuration. */
const note = 'mcp.added'

type Added = Record<string, ServerSettings>

export const hasAdded = async ({ db }: Pick<Store, 'db'>): Promise<boolean> => (await readNote(db, note)) !== undefined

/** The settings with the servers that were added; the configuration's own win. */
export async function withAdded(settings: McpSettings, { db }: Pick<Store, 'db'>): Promise<McpSettings> {
  const text = await readNote(db, note)
  const added = Object.entries(text === undefined ? {} : (JSON.parse(text) as Added))
  return { ...settings, servers: new Map([...added, ...settings.servers]) }
}

/** Adds a server. False if one of this name was added before. */
export const addServer = (store: Pick<Store, 'transaction'>, name: string, server: ServerSettings): Promise<boolean> =>
  change(store, (added) => (Object.hasOwn(added, name) ? undefined : { ...added, [name]: server }))

/** Removes a server that was added. */
export const removeServer = (store: Pick<Store, 'transaction'>, name: string): Promise<boolean> =>
  change(store, ({ [name]: _, ...others }) => others)

/** Undefined changes nothing. Other processes may do the same at the same time. */
const change = (store: Pick<Store, 'transaction'>, changed: (added: Added) => Added | undefined): Promise<boolean> =>
  store.transaction(async (tx) => {
    await tx.alone(note)
    const added = changed(JSON.parse((await readNote(tx.db, note)) ?? '{}') as Added)
    if (added === undefined) return false
    if (Object.keys(added).length === 0) await dropNote(tx, note)
    else await writeNote(tx, note, JSON.stringify(added))
    tx.changed('mcp')
    return true
  })

/** Reads a server that somebody wants added over HTTP. Throws `bad_server`. */
export function addable(input: unknown): { name: string; server: ServerSettings } {
  const { name, ...rest } = (typeof input === 'object' && input !== null ? input : {}) as Record<string, unknown>
  if (typeof name !== 'string' || !isServerName(name)) throw bad(`name: ${nameRule}`)
  const parsed = serverEntry.safeParse(rest)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw bad(`${issue?.path.join('.') || 'the server'}: ${issue?.message}`)
  }
  // A program would run as the bot itself, and a variable would carry a secret to any address.
  if (parsed.data.command !== undefined) throw bad('command: programs are named in config/mcp_servers.yaml only')
  if (/\$\{/.test(JSON.stringify(rest))) throw bad('variables are put in only in config/mcp_servers.yaml')
  return { name, server: parsed.data }
}

const bad = (message: string): Failure => new Failure('bad_server', message, '')
