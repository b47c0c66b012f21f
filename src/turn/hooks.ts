import type { HookContext, Plugin, Status } from '../domain/plugin.ts'
import { unlessAborted } from '../kit/abort.ts'
import type { Rounds } from './journal-port.ts'

/** Calls the plug-ins' hooks in their order. What one throws is reported and passed over. */
export class Hooks {
  readonly #plugins: Plugin[]
  readonly #report: (plugin: string, hook: string, thrown: unknown) => void

  constructor(plugins: Plugin[], report: (plugin: string, hook: string, thrown: unknown) => void) {
    this.#plugins = plugins
    this.#report = report
  }

  promptBuilt(prompt: string, context: HookContext): Promise<string> {
    return this.#replace('promptBuilt', prompt, context, (plugin, text) => plugin.promptBuilt?.(text, context))
  }

  userMessage(text: string, context: HookContext): Promise<string> {
    return this.#replace('userMessage', text, context, (plugin, current) => plugin.userMessage?.(current, context))
  }

  /** What is kept of a result, and the fewest rounds that any of them wants it to be sent. */
  async callDone(
    call: { tool: string; input: unknown; status: string; result: string },
    context: HookContext,
  ): Promise<{ text: string; rounds?: number }> {
    let text = call.result
    let rounds: number | undefined
    for (const plugin of this.#plugins) {
      const done = await this.#quietly(plugin, 'callDone', context, () =>
        plugin.callDone?.({ ...call, result: text }, context),
      )
      const kept = typeof done === 'string' ? { result: done } : done
      text = kept?.result ?? text
      rounds = fewest(rounds, kept?.rounds)
    }
    return { text, ...(rounds !== undefined && { rounds }) }
  }

  async status(status: Status, context: HookContext): Promise<void> {
    for (const plugin of this.#plugins)
      await this.#quietly(plugin, 'status', context, () => plugin.status?.(status, context))
  }

  text(delta: string, context: HookContext): void {
    for (const plugin of this.#plugins) void this.#quietly(plugin, 'text', context, () => plugin.text?.(delta, context))
  }

  /** Throws what the first plug-in throws: that refuses the call. */
  async beforeCall(call: { tool: string; input: unknown }, context: HookContext): Promise<void> {
    for (const plugin of this.#plugins) await unlessAborted(context.signal, () => plugin.beforeCall?.(call, context))
  }

  /**
   * The first plug-in that wants another round and may have one. How many it has had is read from the history, for a
   * plug-in keeps no state.
   */
  async replyComplete(
    text: string,
    countRounds: () => Promise<Rounds>,
    context: HookContext,
  ): Promise<{ plugin: string; again: string; rounds?: number } | undefined> {
    const asking = this.#plugins.filter(({ replyComplete }) => replyComplete !== undefined)
    if (asking.length === 0) return undefined
    const rounds = await countRounds()
    for (const plugin of asking) {
      const round = rounds.of(plugin.name) + 1
      const ofMessage = plugin.rounds?.message ?? 3
      const most = rounds.withCalls ? Math.min(ofMessage, plugin.rounds?.withCalls ?? ofMessage) : ofMessage
      if (round > most) continue
      const wish = await this.#quietly(plugin, 'replyComplete', context, () =>
        plugin.replyComplete?.({ text, round }, context),
      )
      if (wish === undefined) continue
      const sent = fewest(wish.rounds)
      return { plugin: plugin.name, again: wish.again, ...(sent !== undefined && { rounds: sent }) }
    }
    return undefined
  }

  async #replace(
    hook: string,
    text: string,
    context: HookContext,
    call: (plugin: Plugin, text: string) => string | undefined | Promise<string | undefined>,
  ): Promise<string> {
    let current = text
    for (const plugin of this.#plugins) {
      current = (await this.#quietly(plugin, hook, context, () => call(plugin, current))) ?? current
    }
    return current
  }

  /** A hook that hangs is left behind when the turn is stopped. */
  async #quietly<T>(
    plugin: Plugin,
    hook: string,
    { signal }: HookContext,
    call: () => T | Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await unlessAborted(signal, call)
    } catch (thrown) {
      this.#report(plugin.name, hook, thrown)
      return undefined
    }
  }
}

/** The least of these numbers of rounds; each is sent at least once, for otherwise nobody would ever read it. */
export function fewest(...rounds: (number | undefined)[]): number | undefined {
  const given = rounds.filter((one) => one !== undefined && Number.isFinite(one)) as number[]
  return given.length === 0 ? undefined : Math.max(1, Math.floor(Math.min(...given)))
}
