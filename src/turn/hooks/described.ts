import type { Capability } from '../port/capability.ts'
import type { Operation } from '../port/operation.ts'
import { operationsBelow, routesAt } from '../port/routes-at.ts'
import type { HookCaller } from './hook-caller.ts'

/** What the routes of capabilities do. Each is asked once. */
export class Described {
  readonly #caller: Pick<HookCaller, 'withHook' | 'tell'>
  readonly #patienceMs: number
  readonly #known = new Map<Capability, Promise<Operation[]>>()

  constructor(caller: Pick<HookCaller, 'withHook' | 'tell'>, patienceMs = 3000) {
    this.#caller = caller
    this.#patienceMs = patienceMs
  }

  /** Of all capabilities, or of those whose routes an address is below. */
  async operations(at?: readonly string[]): Promise<Operation[]> {
    const asked = this.#caller.withHook('operations').filter((one) => at === undefined || isBelow(at, routesAt(one)))
    return (await Promise.all(asked.map((one) => this.#known.get(one) ?? this.#ask(one)))).flat()
  }

  /** Requests wait for it. One that takes long describes nothing until it is done. */
  #ask(one: Capability): Promise<Operation[]> {
    const whole = this.#caller
      .tell(one, 'operations', { signal: new AbortController().signal }, async () => one.operations?.())
      .then((own) => operationsBelow(routesAt(one), own ?? []))
    const signal = AbortSignal.timeout(this.#patienceMs)
    const first = this.#caller.tell(one, 'operations', { signal }, () => whole).then((own) => own ?? [])
    this.#known.set(one, first)
    void whole.then(() => this.#known.set(one, whole))
    return first
  }
}

const isBelow = (at: readonly string[], place: string) => place.split('/').every((part, index) => part === at[index])
