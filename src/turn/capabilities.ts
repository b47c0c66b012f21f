import type { Config } from '../config/config.ts'
import type { CallId, SessionId } from '../domain/ids.ts'
import type { Message } from '../domain/messages.ts'
import type { Tool } from '../domain/tool.ts'
import type { JobKind } from '../jobs/kind.ts'
import { unlessAborted } from '../kit/abort.ts'
import type { Json } from '../kit/json.ts'
import type { Session } from '../store/sessions.ts'
import type { Tx } from '../store/store.ts'
import { sectionsOf } from './brought.ts'
import type { Rounds } from './calls.ts'
import type {
  Capability,
  HistoryNeed,
  HookContext,
  ModelCall,
  ModelPermit,
  ModelScope,
  PromptSection,
  SentHistory,
  Services,
  Status,
  TurnScope,
} from './capability.ts'
import type { Command } from './command.ts'
import { fewest } from './fewest.ts'
import { type CapabilityName, namesOf } from './mentions.ts'
import type { Endpoint, Moment, MomentPlace } from './moments.ts'
import { settingsOf } from './settings-of.ts'
import { Watchers } from './watchers.ts'

/** Everything the bot can do. Hooks are called in list order; an error in one is reported and doesn't stop the others. */
export class Capabilities {
  readonly #list: readonly Capability[]
  readonly #report: (capability: string, hook: string, thrown: unknown) => void
  readonly #settings: ReadonlyMap<Capability, unknown>
  readonly #watchers: Watchers

  /** Throws `bad_setting`. */
  constructor(
    list: readonly Capability[],
    config: Pick<Config, 'sections'>,
    report: (capability: string, hook: string, thrown: unknown) => void,
  ) {
    this.#list = list
    this.#settings = new Map(list.map((capability) => [capability, settingsOf(config, capability)]))
    this.#report = report
    this.#watchers = new Watchers(report)
  }

  commands(bot: Services): Command[] {
    return this.#list.flatMap((capability) => [
      ...(capability.commands ?? []),
      ...(capability.commandsOf?.(bot, this.#settings.get(capability)) ?? []),
    ])
  }

  /** What is sent of the history, as the first capability that chooses it says. */
  async history(turn: TurnScope, need: HistoryNeed, context: HookContext): Promise<SentHistory | undefined> {
    for (const capability of this.#list) {
      const settings = this.#settings.get(capability)
      const sent = await this.#quietly(capability, 'history', context, () => capability.history?.(turn, need, settings))
      if (sent !== undefined) return sent
    }
    return undefined
  }

  /** What they answer about a conversation, by name. */
  views(bot: Services): Map<string, (session: Session) => Promise<Json>> {
    const all = this.#list.flatMap((capability) =>
      Object.entries(capability.views?.(bot, this.#settings.get(capability)) ?? {}),
    )
    return new Map(all)
  }

  /** Their lines of `status`, in list order. */
  standing(bot: Services): (session: Session) => Promise<string[]> {
    const all = this.#list.flatMap((capability) => {
      const lines = capability.standing?.(bot, this.#settings.get(capability))
      return lines === undefined
        ? []
        : (session: Session) => this.#quietly(capability, 'standing', { signal: never }, () => lines(session))
    })
    return async (session) => (await Promise.all(all.map((lines) => lines(session)))).flatMap((lines) => lines ?? [])
  }

  jobs(bot: Services): JobKind[] {
    return this.#list.flatMap((capability) => [...(capability.jobs?.(bot, this.#settings.get(capability)) ?? [])])
  }

  /** Has the bot's turns watched from now on. Returns the addresses that this adds. */
  watch(bot: Services): Endpoint[] {
    const watcherOf = (capability: Capability) => capability.watch?.(bot, this.#settings.get(capability))
    return this.#watchers.set(this.#list.map((one) => ({ capability: one.name, watcher: watcherOf(one) })))
  }

  /** Tells those who watch. */
  see(moment: Moment, place: MomentPlace): void {
    this.#watchers.see(moment, place)
  }

  /** Throws the first error: the bot doesn't start without all of them. */
  async start(bot: Services): Promise<void> {
    await this.#watchers.start()
    for (const capability of this.#list) await capability.start?.(bot, this.#settings.get(capability))
  }

  async stop(bot: Services): Promise<void> {
    for (const capability of this.#list.toReversed()) await capability.stop?.(bot)
    await this.#watchers.stop()
  }

  async uploaded(tx: Tx, session: SessionId, path: string): Promise<void> {
    for (const capability of this.#list) await capability.uploaded?.(tx, session, path)
  }

  async rewritten(tx: Tx, session: SessionId, message: number): Promise<void> {
    for (const capability of this.#list) await capability.rewritten?.(tx, session, message)
  }

  get all(): readonly Capability[] {
    return this.#list
  }

  ownerOf(tool: Tool, bot: Services): Capability | undefined {
    return this.#list.find(({ tools = [], found }) =>
      [...tools, ...(found?.(bot) ?? [])].some(({ name }) => name === tool.name),
    )
  }

  found = (bot: Services): (readonly Tool[])[] => this.#list.flatMap((one) => (one.found ? [one.found(bot)] : []))
  ready = (bot: Services) => Promise.allSettled(this.#list.map((one) => one.ready?.(bot)))

  /** What a tool may use besides the usual context. */
  contextOf(tool: Tool, turn: TurnScope, call: CallId): object {
    const owner = this.ownerOf(tool, turn.bot)
    return owner?.context?.(turn, call, this.#settings.get(owner)) ?? {}
  }

  /** What the capabilities remind the model of, once, in list order. */
  async reminders(turn: TurnScope, unanswered: readonly Message[], context: HookContext): Promise<string[]> {
    const texts: string[] = []
    for (const capability of this.#list) {
      const told = await this.#quietly(capability, 'reminders', context, () => capability.reminders?.(turn, unanswered))
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
      this.#quietly(capability, 'prompt', context, () => {
        const about = { bot, mentioned: namesOf(capability.name, named) }
        return capability.prompt?.(session, about, this.#settings.get(capability))
      })
    return sectionsOf(this.#list, taken, ask, (name, thrown) => this.#report(name, 'prompt', thrown))
  }

  /** What they know by name in this thread, in list order. */
  async names(session: Session, bot: Services, context: HookContext): Promise<CapabilityName[]> {
    const all: CapabilityName[] = []
    for (const capability of this.#list) {
      const settings = this.#settings.get(capability)
      const own = await this.#quietly(capability, 'names', context, () => capability.names?.(session, bot, settings))
      all.push(...(own ?? []).map((name) => ({ capability: capability.name, name })))
    }
    return all
  }

  async beforeCalls(turn: TurnScope, context: HookContext): Promise<void> {
    for (const capability of this.#list)
      await this.#quietly(capability, 'beforeCalls', context, () =>
        capability.beforeCalls?.(turn, this.#settings.get(capability)),
      )
  }

  promptBuilt(prompt: string, context: HookContext): Promise<string> {
    return this.#replace('promptBuilt', prompt, context, (capability, text) => capability.promptBuilt?.(text, context))
  }

  userMessage(text: string, context: HookContext): Promise<string> {
    return this.#replace('userMessage', text, context, (capability, current) =>
      capability.userMessage?.(current, context),
    )
  }

  /** The result to keep, and the smallest number of rounds any of them wants it to be sent. */
  async callDone(
    call: { tool: string; input: unknown; status: string; result: string },
    context: HookContext,
  ): Promise<{ text: string; rounds?: number }> {
    let text = call.result
    let rounds: number | undefined
    for (const capability of this.#list) {
      const done = await this.#quietly(capability, 'callDone', context, () =>
        capability.callDone?.({ ...call, result: text }, context),
      )
      const kept = typeof done === 'string' ? { result: done } : done
      text = kept?.result ?? text
      rounds = fewest(rounds, kept?.rounds)
    }
    return { text, ...(rounds !== undefined && { rounds }) }
  }

  async status(status: Status, context: HookContext): Promise<void> {
    for (const capability of this.#list)
      await this.#quietly(capability, 'status', context, () => capability.status?.(status, context))
  }

  text(delta: string, context: HookContext): void {
    for (const capability of this.#list)
      if (capability.text !== undefined)
        void this.#quietly(capability, 'text', context, () => capability.text?.(delta, context))
  }

  /** The first one that doesn't simply let the model be asked. */
  async beforeModel(call: ModelCall, scope: ModelScope): Promise<ModelPermit> {
    let permit: ModelPermit = { kind: 'go' }
    for (const capability of this.#list) {
      const own = await capability.beforeModel?.(call, scope)
      if (own === undefined) continue
      permit = own
      if (own.kind !== 'go') break
    }
    return permit
  }

  async modelFailed(reserve: string, cost: 'nothing' | 'unknown', scope: ModelScope): Promise<void> {
    for (const capability of this.#list)
      await this.#quietly(capability, 'modelFailed', { signal: never }, () =>
        capability.modelFailed?.(reserve, cost, scope),
      )
  }

  /** An error refuses the call; the first one is thrown. */
  async beforeCall(call: { tool: string; input: unknown }, context: HookContext): Promise<void> {
    for (const capability of this.#list)
      await unlessAborted(context.signal, () => capability.beforeCall?.(call, context))
  }

  /**
   * The first capability that wants another round and may have one. How many it has had is read from the history,
   * because hooks keep no state.
   */
  async replyComplete(
    text: string,
    countRounds: () => Promise<Rounds>,
    context: HookContext,
  ): Promise<{ capability: string; again: string; rounds?: number } | undefined> {
    const asking = this.#list.filter(({ replyComplete }) => replyComplete !== undefined)
    if (asking.length === 0) return undefined
    const rounds = await countRounds()
    for (const capability of asking) {
      const round = rounds.of(capability.name) + 1
      const ofMessage = capability.rounds?.message ?? 3
      const most = rounds.withCalls ? Math.min(ofMessage, capability.rounds?.withCalls ?? ofMessage) : ofMessage
      if (round > most) continue
      const wish = await this.#quietly(capability, 'replyComplete', context, () =>
        capability.replyComplete?.({ text, round }, context),
      )
      if (wish === undefined) continue
      const sent = fewest(wish.rounds)
      return { capability: capability.name, again: wish.again, ...(sent !== undefined && { rounds: sent }) }
    }
    return undefined
  }

  async #replace(
    hook: keyof Capability,
    text: string,
    context: HookContext,
    call: (capability: Capability, text: string) => string | undefined | Promise<string | undefined>,
  ): Promise<string> {
    let current = text
    for (const capability of this.#list) {
      current = (await this.#quietly(capability, hook, context, () => call(capability, current))) ?? current
    }
    return current
  }

  /** A hook that hangs isn't waited for once the turn is stopped. */
  async #quietly<T>(
    capability: Capability,
    hook: keyof Capability,
    { signal }: Pick<HookContext, 'signal'>,
    call: () => T | Promise<T>,
  ): Promise<T | undefined> {
    // Most capabilities have few hooks, and each is checked at every moment.
    if (capability[hook] === undefined) return undefined
    try {
      return await unlessAborted(signal, call)
    } catch (thrown) {
      if (!signal.aborted) this.#report(capability.name, hook, thrown)
      return undefined
    }
  }
}

/** What was reserved is settled even if the turn was stopped. */
const never = new AbortController().signal
