import type { Tool } from '../../domain/tool.ts'
import { latestMade } from '../../kit/latest-made.ts'
import { dropNote, notesFrom, writeNote } from '../../store/notes.ts'
import type { ProjectRef } from '../../store/sessions.ts'
import type { Store } from '../../store/store.ts'
import { agreeTo, asFirstHeard, hashOf, type Known, type KnownTool, learn } from './catalog.ts'
import { knownPlaceOf } from './place.ts'
import type { ListedTool } from './port.ts'
import { enabledServers, type McpSettings } from './settings.ts'
import { isOffered, toolsOf } from './tools/tools.ts'

const prefix = 'mcp.tools.'

const noteOf = (server: string, place: string): string => `${prefix}${server}${place === '' ? '' : `.${place}`}`

/** Names of servers have no dot. */
function ofNote(note: string): { server: string; place: string } {
  const [server = '', ...place] = note.slice(prefix.length).split('.')
  return { server, place: place.join('.') }
}

/** For how many places at once lists of tools are kept. */
const mostLists = 100

type CatalogStore = Pick<Store, 'db' | 'transaction' | 'availability'>

/**
 * What is known of all servers. Kept in the database, so that a server's tools can be offered while it isn't running.
 * What a server of one place has listed is known there only. Until then, what is known at the place '' holds there,
 * where the bot starts it for nobody.
 */
export class Catalog {
  readonly #store: CatalogStore
  readonly #settings: McpSettings
  /** By server, then by place. */
  readonly #known = new Map<string, Map<string, Known>>()
  /** The notes that aren't written yet: what was written before must not take the place of what is known. */
  readonly #unwritten = new Set<string>()
  readonly #listOf = latestMade<readonly Tool[]>(mostLists)

  private constructor(store: CatalogStore, settings: McpSettings) {
    this.#store = store
    this.#settings = settings
  }

  static async open(store: CatalogStore, settings: McpSettings): Promise<Catalog> {
    const catalog = new Catalog(store, settings)
    await catalog.readAgain()
    return catalog
  }

  /** Takes over what other processes have learnt, or what people have agreed to there. */
  async readAgain(): Promise<void> {
    const before = new Map([...this.#known].map(([server, known]) => [server, new Map(known)]))
    for (const [note, text] of await notesFrom(this.#store.db, prefix)) {
      const { server, place } = ofNote(note)
      const old = before.get(server)?.get(place)
      if (this.#unwritten.has(note) || this.#own(server, place) !== old || JSON.stringify(old) === text) continue
      const known = JSON.parse(text) as Known
      const { enabled, scope } = this.#settings.servers.get(server) ?? {}
      const isUsed = enabled && (place === '' || scope !== 'shared')
      if (isUsed && known.identity === this.#identityOf(server)) this.#put(server, place, known)
    }
  }

  /** The tools for models there, or all that there are anywhere: the same list until one of them changes. */
  toolsIn(where?: ProjectRef): readonly Tool[] {
    const { limits } = this.#settings
    const all = enabledServers(this.#settings).map(([server, settings]) => {
      const known = this.#knownBy(server, where && knownPlaceOf(settings, where))
      return { server, settings, known }
    })
    const parts = all.flatMap(({ settings, known }) => [settings, ...known])
    return this.#listOf(parts, () => {
      const tools = all.flatMap(({ server, settings, known }) =>
        known.flatMap((one) => toolsOf(server, settings, one, limits)),
      )
      // One that is gone somewhere may be there elsewhere, and to call that one does more than to fail.
      return firstOfEach([...tools.filter(({ retired }) => !retired), ...tools.filter(({ retired }) => retired)])
    })
  }

  /** The server isn't there any more. */
  async forget(server: string): Promise<void> {
    this.#known.delete(server)
    const isIts = (note: string) => ofNote(note).server === server
    for (const note of [...this.#unwritten].filter(isIts)) this.#unwritten.delete(note)
    await this.#store.transaction(async (tx) => {
      for (const [note] of await notesFrom(tx.db, prefix)) if (isIts(note)) await dropNote(tx, note)
    })
  }

  /** Whether it has listed its tools in that place, or where the bot starts it for nobody. */
  isKnown(server: string, place = ''): boolean {
    return this.#own(server, place) !== undefined
  }

  /** The tools that models have of it there, or anywhere. */
  toolsOf(server: string, place?: string): KnownTool[] {
    const { tools = {} } = this.#settings.servers.get(server) ?? {}
    const all = this.#knownBy(server, place).flatMap((known) => known.tools)
    const { limits } = this.#settings
    return firstOfEach(all.filter((tool) => !tool.gone && isOffered(server, { tools }, tool, limits)))
  }

  find(server: string, place: string, tool: string): KnownTool | undefined {
    return this.toolsOf(server, place).find(({ name }) => name === tool)
  }

  learn(server: string, place: string, listed: readonly ListedTool[]): Promise<void> {
    const { tools, definitionBytes } = this.#settings.limits
    // As much again as it may list is for those that are gone.
    const most = { tools: 2 * tools, bytes: 2 * tools * definitionBytes }
    const known = learn(this.#knownAt(server, place), this.#identityOf(server), listed, most)
    // Threads that each have a server of their own share its login, so it says the same to all workspaces.
    const hasOwnLogin = place !== '' && this.#settings.servers.get(server)?.scope === 'tenant'
    const isFirst = hasOwnLogin && this.#own(server, place) === undefined
    return this.#set(server, place, isFirst ? asFirstHeard(known) : known)
  }

  /** A person agreed to a call of a tool that has changed: from now on this is what it is, in this place. */
  async agree(server: string, place: string, tool: string, hash: string): Promise<void> {
    const known = this.#knownAt(server, place)
    const isMeant = known?.tools.some(({ name, changed }) => name === tool && changed?.hash === hash)
    if (known !== undefined && isMeant) await this.#set(server, place, agreeTo(known, tool, hash))
  }

  /** Resolves when it is written, which waits for the database. */
  async #set(server: string, place: string, known: Known): Promise<void> {
    const note = noteOf(server, place)
    if (this.#knownAt(server, place) === known && !this.#unwritten.has(note)) return
    this.#put(server, place, known)
    this.#unwritten.add(note)
    const written = await this.#store.availability.patiently(() => this.#write(server, place))
    if (this.#own(server, place) === written) this.#unwritten.delete(note)
  }

  #write(server: string, place: string): Promise<Known | undefined> {
    const note = noteOf(server, place)
    return this.#store.transaction(async (tx) => {
      await tx.alone(note)
      // There may be more to write by now.
      const known = this.#own(server, place)
      if (known === undefined) return undefined
      await writeNote(tx, note, JSON.stringify(known))
      tx.changed('mcp')
      return known
    })
  }

  #put(server: string, place: string, known: Known): void {
    this.#known.set(server, (this.#known.get(server) ?? new Map()).set(place, known))
  }

  #own(server: string, place: string): Known | undefined {
    return this.#known.get(server)?.get(place)
  }

  #knownAt(server: string, place: string): Known | undefined {
    return this.#own(server, place) ?? this.#own(server, '')
  }

  /** In one place, or everywhere. */
  #knownBy(server: string, place: string | undefined): Known[] {
    if (place === undefined) return [...(this.#known.get(server)?.values() ?? [])]
    const known = this.#knownAt(server, place)
    return known === undefined ? [] : [known]
  }

  #identityOf(server: string): string {
    const { command, args, url, directory, scope } = this.#settings.servers.get(server) ?? {}
    // What one said that all shared may be about a single workspace.
    return hashOf([command, args, url, directory, ...(scope === 'tenant' ? [scope] : [])])
  }
}

/** Of several with the same name, the first one. */
function firstOfEach<One extends { name: string }>(all: readonly One[]): One[] {
  const names = new Set<string>()
  return all.filter(({ name }) => !names.has(name) && names.add(name))
}
