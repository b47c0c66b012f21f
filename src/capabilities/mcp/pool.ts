import { setTimeout as sleep } from 'node:timers/promises'
import type { ToolContext } from '../../domain/tool.ts'
import { Failure } from '../../kit/failure.ts'
import type { JsonObject } from '../../kit/json.ts'
import type { ProjectRef, Session } from '../../store/sessions.ts'
import type { Services } from '../../turn/port/scope.ts'
import { callServer } from './call.ts'
import type { Catalog } from './catalog-store.ts'
import { coalesced } from './coalesced.ts'
import { Connection, type Opened } from './connection.ts'
import type { ToolRef } from './context.ts'
import { FirstStarts } from './first-starts.ts'
import { hostOf } from './host.ts'
import { keptTokens } from './login/login-of.ts'
import { type OpenDeps, openServer } from './open.ts'
import { type OpenCalls, whileOpen } from './open-calls.ts'
import { type InThread, ofNobody, type Whose, whoseOf } from './place.ts'
import type { McpResult } from './port.ts'
import { secretsIn } from './secrets.ts'
import { enabledServers, type ServerSettings } from './settings.ts'
import { type ServerStatus, statusOf } from './status.ts'
import { isOff } from './tools/names.ts'
import { mcpWords } from './words.ts'

/** How long turns wait for servers that start for the first time. */
const longestWaitMs = 5_000

/** How long a server that says that its tools have changed isn't asked again. */
const refreshPauseMs = 2_000

const unanswerable = 'a question of an MCP server isn’t answered, and the server is started again before a later call'

interface Held {
  server: string
  owner: string
  /** Who knows what it says of its tools. */
  place: string
  connection: Connection
}

/** All servers of a bot: which of them run, for whom, and for how long. */
export class Pool {
  readonly #bot: Pick<Services, 'clock' | 'engine' | 'report' | 'write' | 'learnSecrets'>
  readonly #deps: OpenDeps
  readonly #catalog: Catalog
  readonly #held = new Map<string, Held>()
  /** The ends of servers that it doesn't hold any more. */
  readonly #ending = new Set<Promise<void>>()
  readonly #firstStarts = new FirstStarts()
  #learning: Promise<void> | undefined
  #isStopped = false

  constructor(
    bot: Pick<Services, 'clock' | 'engine' | 'report' | 'write' | 'learnSecrets'>,
    deps: OpenDeps,
    catalog: Catalog,
  ) {
    this.#bot = bot
    this.#deps = deps
    this.#catalog = catalog
  }

  /** Of all servers, or of some new ones, starts those whose tools aren't known yet or that are to run all the time. */
  begin(added?: readonly string[]): void {
    this.#bot.learnSecrets(secretsIn(this.#deps.settings, this.#deps.config.variables))
    if (this.#isLeaving) return
    const wanted = enabledServers(this.#deps.settings).filter(
      ([name, server]) => (added?.includes(name) ?? true) && (!server.lazy_startup || !this.#catalog.isKnown(name)),
    )
    for (const [name] of wanted) this.#firstStarts.isOver(name)
    if (wanted.length === 0) return
    const report = this.#bot.report('an MCP server could not be started')
    const all = Promise.all(wanted.map(([name]) => this.#startOnce(name).catch(report)))
    const over = new AbortController()
    const late = sleep(longestWaitMs, undefined, { signal: over.signal }).catch(() => undefined)
    this.#learning = Promise.race([all, late]).then(() => {
      over.abort()
      this.#learning = undefined
    })
  }

  /** While tools are being looked for, but not for long: what comes later is there with the next turn. */
  get learning(): Promise<void> | undefined {
    return this.#learning
  }

  async call(ref: ToolRef, input: Record<string, unknown>, context: ToolContext, session: Session): Promise<string> {
    const server = this.#settingsOf(ref.server)
    const held = await this.#heldFor(ref.server, whoseOf(server, { session, root: context.workspace.root }))
    const { settings, mask } = this.#deps
    return callServer({ held, server, catalog: this.#catalog, limits: settings.limits, mask }, ref, input, context)
  }

  /** A call outside of any turn. Without a thread, by the server that is nobody's. */
  async callByHand(
    name: string,
    tool: string,
    input: JsonObject,
    signal: AbortSignal,
    thread?: InThread,
  ): Promise<McpResult> {
    const server = this.#settingsOf(name)
    if (isOff(server, tool))
      throw new Failure('mcp_tool_off', mcpWords.toolOff({ server: name, tool }), mcpWords.toolOffRemedy())
    const held = await this.#heldFor(name, whoseOf(server, thread))
    const limit = AbortSignal.timeout(server.call_ms ?? this.#deps.settings.limits.callMs)
    const { connection } = held
    const until = AbortSignal.any([signal, limit])
    return connection.use(({ client, calls }) =>
      whileOpen(calls, () => client.call(tool, input, until, () => connection.heard())),
    )
  }

  /** Starts a server, that of the thread if each has its own, and asks for its tools. Throws `mcp_unreachable`. */
  async test(name: string, thread?: InThread): Promise<{ about: string; tools: number }> {
    const server = this.#settingsOf(name)
    this.#firstStarts.isOver(name)
    const held = await this.#heldFor(name, whoseOf(server, thread))
    return held.connection.use(async (opened) => {
      const { client } = opened
      await client.ping(AbortSignal.timeout(this.#deps.settings.limits.startMs))
      await this.#list(name, held.place, opened)
      return { about: client.about, tools: this.#catalog.toolsOf(name, held.place).length }
    })
  }

  /** Because somebody wants it, so the bot doesn't start it again by itself to learn its tools. */
  async stopByHand(name: string, owner = ''): Promise<void> {
    if (owner === '') this.#firstStarts.pause(name, await this.#tokensOf(name))
    await this.stopServer(name, owner)
  }

  /** All servers of this name, or only those of one workspace or thread. */
  async stopServer(name: string, owner = ''): Promise<void> {
    const isMeant = (held: Held) => held.server === name && (owner === '' || held.owner === owner)
    await this.#stopAll([...this.#held].filter(([, held]) => isMeant(held)))
  }

  /**
   * Stops the servers that nobody has used for a while, and starts those whose tools still aren't known. Of a bot that
   * is leaving, all rest, and none is started.
   */
  async rest(): Promise<void> {
    const { idleMs } = this.#deps.settings.limits
    const before = this.#bot.clock.now() - idleMs
    const unused = [...this.#held].filter(([, { connection }]) => !connection.isBusy && connection.usedAt < before)
    await this.#stopAll(unused.filter(([, { server }]) => this.#isLeaving || !this.#runsAlways(server)))
    if (this.#isLeaving) return
    for (const [name, server] of enabledServers(this.#deps.settings)) await this.#startAgain(name, server)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#stopAll([...this.#held])
    // Somebody may have stopped some just before, and the mark says that all have ended.
    await Promise.all(this.#ending)
    await this.#deps.marks.clear()
  }

  /** Of all, or as people somewhere see it, who learn nothing of what runs for others. */
  status(where?: ProjectRef): ServerStatus[] {
    return statusOf([...this.#held.values()], this.#deps.settings, this.#catalog, where)
  }

  get #isLeaving(): boolean {
    return this.#bot.engine.leaving.aborted
  }

  /** Those of threads and workspaces start with their first call, also if they aren't lazy. */
  #runsAlways(name: string): boolean {
    const server = this.#deps.settings.servers.get(name)
    return server?.lazy_startup === false && server.scope === 'shared'
  }

  async #startOnce(name: string): Promise<void> {
    const held = await this.#heldFor(name, ofNobody)
    await held.connection.use(async () => {})
    if (this.#settingsOf(name).scope === 'shared' || held.connection.isBusy) return
    // It was only started to learn its tools. Threads or workspaces may be using their own ones.
    await this.#stopAll([...this.#held].filter(([, one]) => one === held))
  }

  async #startAgain(name: string, server: ServerSettings): Promise<void> {
    if (this.#catalog.isKnown(name)) return this.#firstStarts.isOver(name)
    const login = await this.#tokensOf(name)
    const key = keyOf(name, '')
    const held = this.#held.get(key)
    if (held?.connection.isBusy || !this.#firstStarts.isDue(name, login, this.#bot.clock.now())) return
    // It has pauses of its own. It isn't waited for, so that whoever stops the server meanwhile stops the next one.
    if (held !== undefined) void this.#stopAll([[key, held]])
    // Its first failure was reported, and the latest is told with its state.
    void this.#startOnce(name).catch(async (thrown: unknown) => {
      // Each workspace logs in to its own, and nobody to this one. It is paused at once: another look may be under way.
      if (server.scope === 'tenant' && wantsLogin(thrown)) this.#firstStarts.pause(name, login)
      else this.#firstStarts.failed(name, await this.#tokensOf(name))
    })
  }

  async #tokensOf(name: string): Promise<string> {
    const server = this.#deps.settings.servers.get(name)
    return server === undefined ? '' : keptTokens({ name, server }, this.#deps)
  }

  #settingsOf(name: string): ServerSettings {
    const server = this.#deps.settings.servers.get(name)
    if (server?.enabled) return server
    throw new Failure('mcp_unreachable', mcpWords.notSetUp({ server: name }), mcpWords.notSetUpRemedy())
  }

  async #heldFor(name: string, whose: Whose): Promise<Held> {
    if (this.#isStopped) throw new Failure('stopping', mcpWords.stopping(), mcpWords.stoppingRemedy())
    const key = keyOf(name, whose.scope)
    const known = this.#held.get(key)
    if (known !== undefined) return known
    const held = this.#newHeld(name, whose)
    this.#held.set(key, held)
    await this.#makeRoom(key)
    return held
  }

  #newHeld(name: string, { scope, owner, place, root }: Whose): Held {
    const server = this.#settingsOf(name)
    const refresh = coalesced(
      () => this.#refresh(name, place, connection),
      () => sleep(refreshPauseMs, undefined, { ref: false }),
    )
    const connection: Connection = new Connection({
      name,
      now: () => this.#bot.clock.now(),
      startMs: this.#deps.settings.limits.startMs,
      open: async (signal, lost) => {
        const { settings, mask } = this.#deps
        const calls: OpenCalls = new Set()
        const unanswered = this.#bot.report(unanswerable, { server: name })
        const renew = () => connection.renew() && unanswered('it may belong to a call that was given up')
        const deps = { name, server, calls, renew, bot: this.#bot, limits: settings.limits, mask }
        const host = hostOf(deps, root, refresh, lost)
        const opened = await openServer({ name, server, scope }, host, { signal, deps: this.#deps })
        return { ...opened, calls }
      },
      learned: (tools) => this.#catalog.learn(name, place, tools),
      report: this.#bot.report('an MCP server failed', { server: name }),
      mask: this.#deps.mask,
    })
    return { server: name, owner, place, connection }
  }

  /** The server says that its tools have changed. */
  async #refresh(name: string, place: string, connection: Connection): Promise<void> {
    // One that has been stopped meanwhile lists them when it starts again.
    if (connection.state !== 'running' && connection.state !== 'starting') return
    try {
      await connection.use((opened) => this.#list(name, place, opened), { byItself: true })
    } catch (thrown) {
      this.#bot.report('the tools of an MCP server could not be listed', { server: name })(thrown)
    }
  }

  async #list(name: string, place: string, opened: Opened): Promise<void> {
    opened.tools = await opened.client.listTools(AbortSignal.timeout(this.#deps.settings.limits.startMs))
    await this.#catalog.learn(name, place, opened.tools)
  }

  /** There may only be so many at once: the one that was used longest ago goes. */
  async #makeRoom(key: string): Promise<void> {
    const { atOnce } = this.#deps.settings.limits
    if (this.#held.size <= atOnce) return
    const idle = [...this.#held].filter(([one, { connection }]) => one !== key && !connection.isBusy)
    const [oldest] = idle.toSorted(([, one], [, other]) => one.connection.usedAt - other.connection.usedAt)
    if (oldest !== undefined) return this.#stopAll([oldest])
    this.#held.delete(key)
    throw new Failure('mcp_unreachable', mcpWords.serversFull(), mcpWords.serversFullRemedy())
  }

  async #stopAll(all: [key: string, held: Held][]): Promise<void> {
    for (const [key] of all) this.#held.delete(key)
    const report = this.#bot.report('an MCP server could not be stopped')
    await Promise.all(all.map(([, { connection }]) => this.#end(connection.stop().catch(report))))
  }

  #end(ending: Promise<void>): Promise<void> {
    this.#ending.add(ending)
    return ending.finally(() => this.#ending.delete(ending))
  }
}

const wantsLogin = (thrown: unknown): boolean =>
  thrown instanceof Failure && thrown.cause instanceof Failure && thrown.cause.code === 'mcp_login'

const keyOf = (name: string, scope: string): string => `${name}\0${scope}`
