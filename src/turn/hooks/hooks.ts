import type { Tool } from '../../domain/tool.ts'
import { unlessAborted } from '../../kit/abort.ts'
import type { Db } from '../../store/store.ts'
import type { StoredTurn } from '../../store/turns.ts'
import type { Rounds } from '../port/calls.ts'
import type { Capability, HookContext, Status } from '../port/capability.ts'
import type { ModelCall, ModelPermit } from '../port/model-permit.ts'
import type { ModelScope, TurnScope } from '../port/scope.ts'
import { fewest } from './fewest.ts'
import type { HookCaller } from './hook-caller.ts'

/** What capabilities do at each moment of a turn, in list order. */
export class Hooks {
  readonly #caller: HookCaller

  constructor(caller: HookCaller) {
    this.#caller = caller
  }

  promptBuilt(prompt: string, context: HookContext): Promise<string> {
    return this.#replace('promptBuilt', prompt, context, (capability, text) => capability.promptBuilt?.(text, context))
  }

  /** Whether what people say may be changed at all. */
  get changeMessages(): boolean {
    return this.#caller.withHook('userMessage').length > 0
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
    for (const capability of this.#caller.withHook('callDone')) {
      const done = await this.#caller.call(capability, 'callDone', context, () =>
        capability.callDone?.({ ...call, result: text }, context),
      )
      const kept = typeof done === 'string' ? { result: done } : done
      text = kept?.result ?? text
      rounds = fewest(rounds, kept?.rounds)
    }
    return { text, ...(rounds !== undefined && { rounds }) }
  }

  async status(status: Status, context: HookContext): Promise<void> {
    for (const capability of this.#caller.withHook('status'))
      await this.#caller.tell(capability, 'status', context, () => capability.status?.(status, context))
  }

  text(delta: string, context: HookContext): void {
    for (const capability of this.#caller.withHook('text'))
      void this.#caller.tell(capability, 'text', context, () => capability.text?.(delta, context))
  }

  /**
   * The first one that doesn't simply let the model be asked. Whoever reserves something comes last: others may have a
   * model write something aside first, and that would wait for what is reserved. But nothing is called in the model's
   * place, such as subagents, unless the model might be asked itself.
   */
  async beforeModel(call: ModelCall, scope: ModelScope): Promise<ModelPermit> {
    let permit: ModelPermit = { kind: 'go' }
    const all = this.#caller.withHook('beforeModel')
    const reserving = all.filter(({ modelFailed }) => modelFailed !== undefined)
    for (const capability of [...all.filter((one) => !reserving.includes(one)), ...reserving]) {
      const giveBack = async () => {
        if (permit.kind === 'go' && permit.reserve !== undefined)
          await this.modelFailed(permit.reserve, 'nothing', scope)
      }
      let own: ModelPermit | undefined
      try {
        own = await capability.beforeModel?.(call, scope)
      } catch (thrown) {
        await giveBack()
        throw thrown
      }
      if (own === undefined) continue
      // The model isn't asked now after all.
      if (own.kind !== 'go') await giveBack()
      permit = own
      if (own.kind === 'call' && !reserving.includes(capability))
        return (await this.#whyNot(reserving, call, scope)) ?? own
      if (own.kind !== 'go') break
    }
    return permit
  }

  /** What keeps the model from being asked; what is reserved for it is given back at once. */
  async #whyNot(
    reserving: ReturnType<HookCaller['withHook']>,
    call: ModelCall,
    scope: ModelScope,
  ): Promise<ModelPermit | undefined> {
    for (const capability of reserving) {
      const own = await capability.beforeModel?.(call, scope)
      if (own?.kind === 'go' && own.reserve !== undefined) await this.modelFailed(own.reserve, 'nothing', scope)
      if (own !== undefined && own.kind !== 'go') return own
    }
    return undefined
  }

  /** What of a turn goes on by itself although the model has replied without calls. */
  async underway(db: Db, row: StoredTurn): Promise<{ maySayNothing: boolean } | undefined> {
    for (const capability of this.#caller.withHook('underway')) {
      const own = await capability.underway?.(db, row, this.#caller.settingsOf(capability))
      if (own !== undefined) return own
    }
    return undefined
  }

  async modelFailed(reserve: string, cost: 'nothing' | 'unknown', scope: ModelScope): Promise<void> {
    for (const capability of this.#caller.withHook('modelFailed'))
      await this.#caller.tell(capability, 'modelFailed', { signal: never }, () =>
        capability.modelFailed?.(reserve, cost, scope),
      )
  }

  /** The first error refuses the call. */
  async mayCall(tool: Tool, turn: TurnScope, input: unknown, { signal }: HookContext): Promise<void> {
    for (const capability of this.#caller.withHook('mayCall'))
      await unlessAborted(signal, () => capability.mayCall?.(tool, turn, input))
  }

  /** An error refuses the call; the first one is thrown. */
  async beforeCall(call: { tool: string; input: unknown }, context: HookContext): Promise<void> {
    for (const capability of this.#caller.withHook('beforeCall'))
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
    const all = this.#caller
      .withHook('replyComplete')
      .filter(({ ofChildren }) => !ofChildren || context.parent !== undefined)
    if (all.length === 0) return undefined
    const rounds = await countRounds()
    for (const capability of all) {
      const round = rounds.of(capability.name) + 1
      const ofMessage = capability.rounds?.message ?? 3
      const most = rounds.withCalls ? Math.min(ofMessage, capability.rounds?.withCalls ?? ofMessage) : ofMessage
      if (round > most) continue
      const wish = await this.#caller.call(capability, 'replyComplete', context, () =>
        capability.replyComplete?.({ text, round }, context, this.#caller.settingsOf(capability)),
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
    for (const capability of this.#caller.withHook(hook)) {
      current = (await this.#caller.call(capability, hook, context, () => call(capability, current))) ?? current
    }
    return current
  }
}

/** What was reserved is settled even if the turn was stopped. */
const never = new AbortController().signal
