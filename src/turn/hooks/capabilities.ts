import type { Config } from '../../config/config.ts'
import type { CallId, SessionId, TurnId } from '../../domain/ids.ts'
import type { Tool } from '../../domain/tool.ts'
import type { JobKind } from '../../jobs/kind.ts'
import type { Json } from '../../kit/json.ts'
import type { ProjectRef, Session } from '../../store/sessions.ts'
import type { Tx } from '../../store/store.ts'
import type { StoredTurn } from '../../store/turns.ts'
import type {
  Capability,
  HistoryNeed,
  HookContext,
  NamedScope,
  PromptSection,
  SentHistory,
} from '../port/capability.ts'
import type { Command } from '../port/command.ts'
import { type CapabilityName, namesOf } from '../port/mentions.ts'
import type { Endpoint, Moment, MomentPlace } from '../port/moments.ts'
import { type Narrowing, together } from '../port/narrowing.ts'
import type { Operation } from '../port/operation.ts'
import type { Services, TurnScope } from '../port/scope.ts'
import { sectionsOf } from './brought.ts'
import { Described } from './described.ts'
import { Found } from './found.ts'
import { HookCaller } from './hook-caller.ts'
import { Hooks } from './hooks.ts'
import { type Stop, Watchers } from './watchers.ts'

/**
 * Everything the bot can do. Hooks are called in list order; an error in one is reported and doesn't stop the others.
 */
export class Capabilities {
  /** What they do in a turn. */
  readonly hooks: Hooks
  readonly #caller: HookCaller
  readonly #watchers: Watchers
  readonly #found: Found
  readonly #described: Described
  #commands: ReadonlyMap<Capability, readonly Command[]> | undefined

  /** Throws `bad_setting`. */
  constructor(
    list: readonly Capability[],
    config: Pick<Config, 'sections'>,
    report: (capability: string, hook: string, thrown: unknown) => void,
  ) {
    this.#caller = new HookCaller(list, config, report)
    this.hooks = new Hooks(this.#caller)
    this.#found = new Found(this.#caller)
    this.#described = new Described(this.#caller)
    this.#watchers = new Watchers(report)
  }

  mayFind = (name: string): boolean =>
    this.#caller.withHook('mayFind').some((one) => one.mayFind?.(name, this.#caller.settingsOf(one)))

  /** The session commands that each adds, in list order. They are asked once. */
  commands(bot: Services): ReadonlyMap<Capability, readonly Command[]> {
    this.#commands ??= this.#each((one, settings) => one.commands?.(bot, settings))
    return this.#commands
  }

  /** What is sent of the history, as the first capability that chooses it says. */
  async history(turn: TurnScope, need: HistoryNeed, context: HookContext): Promise<SentHistory | undefined> {
    for (const capability of this.#caller.withHook('history')) {
      const settings = this.#caller.settingsOf(capability)
      const sent = await this.#caller.call(capability, 'history', context, () =>
        capability.history?.(turn, need, settings),
      )
      if (sent !== undefined) return sent
    }
    return undefined
  }

  /** What they answer about a thread, by name. */
  views(bot: Services): Map<string, (session: Session) => Promise<Json>> {
    const all = this.all.flatMap((capability) =>
      Object.entries(capability.views?.(bot, this.#caller.settingsOf(capability)) ?? {}),
    )
    return new Map(all)
  }

  /** Their lines of `status`, in list order. */
  standing(bot: Services): (session: Session) => Promise<string[]> {
    const all = this.all.flatMap((capability) => {
      const lines = capability.standing?.(bot, this.#caller.settingsOf(capability))
      return lines === undefined
        ? []
        : (session: Session) => this.#caller.tell(capability, 'standing', { signal: never }, () => lines(session))
    })
    return async (session) => (await Promise.all(all.map((lines) => lines(session)))).flatMap((lines) => lines ?? [])
  }

  /** What their routes do: of all, or of those at an address below `/api/v1`. */
  operations = (at?: readonly string[]): Promise<Operation[]> => this.#described.operations(at)

  /** The kinds of jobs that each runs, in list order. */
  jobs(bot: Services): ReadonlyMap<Capability, readonly JobKind[]> {
    return this.#each((one, settings) => one.jobs?.(bot, settings))
  }

  #each<T>(ask: (one: Capability, settings: unknown) => readonly T[] | undefined): Map<Capability, readonly T[]> {
    return new Map(this.all.map((one) => [one, ask(one, this.#caller.settingsOf(one)) ?? []]))
  }

  /** Has the bot's turns watched from now on. Returns the addresses that this adds. */
  watch(bot: Services): Endpoint[] {
    const watcherOf = (capability: Capability) => capability.watch?.(bot, this.#caller.settingsOf(capability))
    return this.#watchers.set(this.all.map((one) => ({ capability: one.name, watcher: watcherOf(one) })))
  }

  /** Tells those who watch. */
  see(moment: Moment, place: MomentPlace): void {
    this.#watchers.see(moment, place)
  }

  /** Throws the first error: the bot doesn't start without all of them. */
  async start(bot: Services): Promise<void> {
    await this.#watchers.start()
    for (const capability of this.all) await capability.start?.(bot, this.#caller.settingsOf(capability))
  }

  /** How each of them is stopped, in this order. One that fails or hangs must not keep the others from it. */
  stops(bot: Services): Stop[] {
    const own = this.#caller.withHook('stop').toReversed()
    return [...own.map((one): Stop => [one.name, async () => one.stop?.(bot)]), ...this.#watchers.stops()]
  }

  async uploaded(tx: Tx, session: SessionId, path: string): Promise<void> {
    for (const capability of this.#caller.withHook('uploaded')) await capability.uploaded?.(tx, session, path)
  }

  async rewritten(tx: Tx, session: SessionId, message: number, how: 'changed' | 'undone'): Promise<void> {
    for (const capability of this.#caller.withHook('rewritten'))
      await this.#caller.write(capability, 'rewritten', () => capability.rewritten?.(tx, session, message, how))
  }

  /** Tells them which of their names a message mentions or implies. */
  async named(tx: Tx, session: SessionId, named: readonly CapabilityName[], about: NamedScope): Promise<void> {
    for (const capability of this.#caller.withHook('named')) {
      const own = named.filter((one) => one.capability === capability.name)
      if (own.length > 0)
        await this.#caller.write(capability, 'named', () => capability.named?.(tx, session, own, about))
    }
  }

  /** Tells them that a turn continues another. */
  async continued(tx: Tx, session: SessionId, about: { turn: TurnId; continues: TurnId }): Promise<void> {
    for (const capability of this.#caller.withHook('continued'))
      await this.#caller.write(capability, 'continued', () => capability.continued?.(tx, session, about))
  }

  get all(): readonly Capability[] {
    return this.#caller.list
  }

  ownerOf(tool: Tool, bot: Services): Capability | undefined {
    const found = this.#found.by(bot)
    return this.all.find((one) =>
      [...(one.tools ?? []), ...(found.get(one) ?? [])].some(({ name }) => name === tool.name),
    )
  }

  /** For the threads there, or all that there are. */
  found = (bot: Services, where?: ProjectRef): (readonly Tool[])[] => [...this.#found.by(bot, where).values()]

  ready = (bot: Services) =>
    Promise.all(
      this.#caller
        .withHook('ready')
        .map((one) => this.#caller.tell(one, 'ready', { signal: never }, () => one.ready?.(bot))),
    )

  /** What a tool may use besides the usual context. */
  contextOf(tool: Tool, turn: TurnScope, call: CallId): object {
    const owner = this.ownerOf(tool, turn.bot)
    return owner?.context?.(turn, call, this.#caller.settingsOf(owner)) ?? {}
  }

  /** What the capabilities remind the model of, once, in list order. */
  async reminders(turn: TurnScope, { unanswered, messages }: SentHistory, context: HookContext): Promise<string[]> {
    const texts: string[] = []
    for (const capability of this.#caller.withHook('reminders')) {
      const told = await this.#caller.call(capability, 'reminders', context, () =>
        capability.reminders?.(turn, unanswered, messages),
      )
      texts.push(...(told ?? []))
    }
    return texts
  }

  /** Their sections of the system prompt, in list order; `isWhole` unless one of them failed. A name is given once. */
  async prompt(
    session: Session,
    { bot, taken, named = [] }: { bot: Services; taken: readonly string[]; named?: readonly CapabilityName[] },
    context: HookContext,
  ): Promise<{ brought: PromptSection[]; isWhole: boolean }> {
    const ask = (capability: Capability) =>
      this.#caller.call(capability, 'prompt', context, async () => {
        const about = { bot, mentioned: namesOf(capability.name, named) }
        return (await capability.prompt?.(session, about, this.#caller.settingsOf(capability))) ?? []
      })
    return sectionsOf(this.#caller.withHook('prompt'), taken, ask, (name, thrown) =>
      this.#caller.report(name, 'prompt', thrown),
    )
  }

  /** What they know by name in this thread, in list order. */
  async names(session: Session, bot: Services, context: HookContext): Promise<CapabilityName[]> {
    const all: CapabilityName[] = []
    for (const capability of this.#caller.withHook('names')) {
      const settings = this.#caller.settingsOf(capability)
      const own = await this.#caller.call(capability, 'names', context, () =>
        capability.names?.(session, bot, settings),
      )
      all.push(...(own ?? []).map((name) => ({ capability: capability.name, name })))
    }
    return all
  }

  /** What a message means without naming it, in list order. */
  async implied(text: string, session: Session, bot: Services, context: HookContext): Promise<CapabilityName[]> {
    const all: CapabilityName[] = []
    for (const capability of this.#caller.withHook('implied')) {
      const settings = this.#caller.settingsOf(capability)
      const own = await this.#caller.call(capability, 'implied', context, () =>
        capability.implied?.(text, session, bot, settings),
      )
      all.push(...(own ?? []).map((one) => ({ capability: capability.name, ...one })))
    }
    return all
  }

  /** What all of them take away; an error ends the turn, since the thread must not have more than it should. */
  narrowing(session: Session, row: StoredTurn): Narrowing | undefined {
    const all = this.#caller
      .withHook('narrows')
      .flatMap((capability) => capability.narrows?.(session, row, this.#caller.settingsOf(capability)) ?? [])
    return all.length === 0 ? undefined : together(all)
  }

  async beforeCalls(turn: TurnScope, context: HookContext): Promise<void> {
    for (const capability of this.#caller.withHook('beforeCalls'))
      await this.#caller.call(capability, 'beforeCalls', context, () =>
        capability.beforeCalls?.(turn, this.#caller.settingsOf(capability)),
      )
  }
}

/** What isn't part of a turn is waited for whatever happens to one. */
const never = new AbortController().signal
