import type { Config } from '../../config/config.ts'
import { unlessAborted } from '../../kit/abort.ts'
import { isOutage } from '../../kit/failure.ts'
import { databaseError } from '../../store/database-error.ts'
import { LeaseLost } from '../../store/lease-lost.ts'
import type { Capability, HookContext } from '../port/capability.ts'
import { settingsOf } from '../port/settings-of.ts'
import { checkShape } from './shapes.ts'

/** The capabilities with their settings. An error in a hook is reported and doesn't stop the others. */
export class HookCaller {
  readonly list: readonly Capability[]
  readonly report: (capability: string, hook: string, thrown: unknown) => void
  readonly #settings: ReadonlyMap<Capability, unknown>
  readonly #withHook = new Map<keyof Capability, readonly Capability[]>()

  /** Throws `bad_setting`. */
  constructor(
    list: readonly Capability[],
    config: Pick<Config, 'sections'>,
    report: (capability: string, hook: string, thrown: unknown) => void,
  ) {
    this.list = list
    this.#settings = new Map(list.map((capability) => [capability, settingsOf(config, capability)]))
    this.report = report
  }

  settingsOf(capability: Capability): unknown {
    return this.#settings.get(capability)
  }

  /** Those with this hook, in list order. Most have few, and each piece of a reply asks. */
  withHook(hook: keyof Capability): readonly Capability[] {
    const known = this.#withHook.get(hook) ?? this.list.filter((capability) => capability[hook] !== undefined)
    this.#withHook.set(hook, known)
    return known
  }

  /**
   * What a hook says; undefined after an error, and if it says something that no such hook may. Throws once the turn
   * is stopped, so that a hook that hangs isn't waited for, once another process has the session, and in an outage:
   * what it would have said isn't known, so the next run asks it again, unless it was about a call that can't be
   * repeated. Also throws once its time is over.
   */
  async call<T>(
    capability: Capability,
    hook: keyof Capability,
    { signal }: Pick<HookContext, 'signal'>,
    run: () => T | Promise<T>,
  ): Promise<T | undefined> {
    try {
      const said = await unlessAborted(signal, run)
      checkShape(hook, said)
      return said
    } catch (thrown) {
      if (signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError')
        this.report(capability.name, hook, signal.reason)
      signal.throwIfAborted()
      if (thrown instanceof LeaseLost || isOutage(thrown)) throw thrown
      this.report(capability.name, hook, thrown)
      return undefined
    }
  }

  /**
   * Calls a hook in a transaction. Throws what the database said, unless it undid only that statement: nothing that is
   * written in the transaction after that is sure to belong to it, and whoever began it knows whether to try it again.
   */
  async write(capability: Capability, hook: keyof Capability, run: () => unknown): Promise<void> {
    try {
      await run()
    } catch (thrown) {
      const said = databaseError(thrown)
      if (said !== undefined) throw said
      this.report(capability.name, hook, thrown)
    }
  }

  /** Calls a hook that changes nothing. Never throws. */
  async tell<T>(
    capability: Capability,
    hook: keyof Capability,
    context: Pick<HookContext, 'signal'>,
    run: () => T | Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await this.call(capability, hook, context, run)
    } catch (thrown) {
      if (!context.signal.aborted && !(thrown instanceof LeaseLost)) this.report(capability.name, hook, thrown)
      return undefined
    }
  }
}
