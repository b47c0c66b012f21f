import type { Tool } from '../../domain/tool.ts'
import { dropNote, readNote, writeNote } from '../../store/notes.ts'
import type { Store } from '../../store/store.ts'
import { agreeTo, hashOf, type Known, type KnownTool, learn } from './catalog.ts'
import type { ListedTool } from './port.ts'
import { enabledServers, type McpSettings } from './settings.ts'
import { isOff } from './tools/names.ts'
import { toolsOf } from './tools/tools.ts'

const noteOf = (server: string): string => `mcp.tools.${server}`

/**
 * What is known of all servers. Kept in the database, so that a server's tools can be offered while it isn't running.
 */
export class Catalog {
  readonly #store: Pick<Store, 'db' | 'transaction' | 'availability'>
  readonly #settings: McpSettings
  readonly #known = new Map<string, Known>()
  /** The servers of which something isn't written yet: what was written before must not take its place. */
  readonly #unwritten = new Set<string>()
  readonly #owners = new Map<string, string>()
  #tools: readonly Tool[] = []

  private constructor(store: Pick<Store, 'db' | 'transaction' | 'availability'>, settings: McpSettings) {
    this.#store = store
    this.#settings = settings
  }

  static async open(
    store: Pick<Store, 'db' | 'transaction' | 'availability'>,
    settings: McpSettings,
  ): Promise<Catalog> {
    const catalog = new Catalog(store, settings)
    await catalog.readAgain()
    return catalog
  }

  /** Takes over what other processes have learnt, or what people have agreed to there. */
  async readAgain(): Promise<void> {
    let isNew = false
    for (const [name] of enabledServers(this.#settings)) {
      const before = this.#known.get(name)
      const note = await readNote(this.#store.db, noteOf(name))
      if (this.#unwritten.has(name) || this.#known.get(name) !== before) continue
      const known = note === undefined ? undefined : (JSON.parse(note) as Known)
      if (known?.identity !== this.#identityOf(name) || JSON.stringify(before) === note) continue
      this.#known.set(name, known)
      isNew = true
    }
    // The same list until one of its tools changes.
    if (isNew) this.#rebuild()
  }

  /** The tools for models: the same list until one of them changes. */
  get tools(): readonly Tool[] {
    return this.#tools
  }

  /** The server that has a tool of this name, as models call it. */
  ownerOf(tool: string): string | undefined {
    return this.#owners.get(tool)
  }

  /** The server isn't there any more. */
  async forget(server: string): Promise<void> {
    this.#known.delete(server)
    this.#unwritten.delete(server)
    this.#rebuild()
    await this.#store.transaction((tx) => dropNote(tx, noteOf(server)))
  }

  isKnown(server: string): boolean {
    return this.#known.has(server)
  }

  toolsOf(server: string): KnownTool[] {
    const { tools = {} } = this.#settings.servers.get(server) ?? {}
    return (this.#known.get(server)?.tools ?? []).filter(({ name, gone }) => !gone && !isOff({ tools }, name))
  }

  find(server: string, tool: string): KnownTool | undefined {
    return this.toolsOf(server).find(({ name }) => name === tool)
  }

  learn(server: string, listed: readonly ListedTool[]): Promise<void> {
    const { tools, definitionBytes } = this.#settings.limits
    // As much again as it may list is for those that are gone.
    const most = { tools: 2 * tools, bytes: 2 * tools * definitionBytes }
    return this.#set(server, learn(this.#known.get(server), this.#identityOf(server), listed, most))
  }

  /** A person agreed to a call of a tool that has changed: from now on this is what it is. */
  async agree(server: string, tool: string, hash: string): Promise<void> {
    const known = this.#known.get(server)
    if (known !== undefined) await this.#set(server, agreeTo(known, tool, hash))
  }

  /** Resolves when it is written, which waits for the database. */
  async #set(server: string, known: Known): Promise<void> {
    const isNew = this.#known.get(server) !== known
    if (!isNew && !this.#unwritten.has(server)) return
    this.#known.set(server, known)
    this.#unwritten.add(server)
    if (isNew) this.#rebuild()
    const written = await this.#store.availability.patiently(() => this.#write(server))
    if (this.#known.get(server) === written) this.#unwritten.delete(server)
  }

  #write(server: string): Promise<Known | undefined> {
    return this.#store.transaction(async (tx) => {
      await tx.alone(noteOf(server))
      // There may be more to write by now.
      const known = this.#known.get(server)
      if (known === undefined) return undefined
      await writeNote(tx, noteOf(server), JSON.stringify(known))
      tx.changed('mcp')
      return known
    })
  }

  #rebuild(): void {
    this.#owners.clear()
    this.#tools = [...this.#known].flatMap(([server, known]) => {
      const settings = this.#settings.servers.get(server)
      const all = settings === undefined ? [] : toolsOf(server, settings, known, this.#settings.limits)
      return all.filter(({ name }) => !this.#owners.has(name) && this.#owners.set(name, server))
    })
  }

  #identityOf(server: string): string {
    const { command, args, url, directory } = this.#settings.servers.get(server) ?? {}
    return hashOf([command, args, url, directory])
  }
}
