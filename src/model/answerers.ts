import type { Model, Price, SlotName } from '../kit/model/model.ts'
import { Breaker, type BreakerSettings } from './breaker.ts'
import { routeOf, type Task } from './route.ts'

/** A configured model, and what it costs. */
export interface Answerer {
  slot: SlotName
  model: Model
  price: Price | undefined
  /** It is known to take images. */
  sees?: boolean
}

/** Which of the configured models answers, and which ones have failed lately. */
export class Answerers {
  readonly #bySlot: ReadonlyMap<SlotName, Answerer>
  readonly #breakers: ReadonlyMap<Model, Breaker>

  constructor(all: readonly Answerer[], settings: BreakerSettings, now: () => number = Date.now) {
    this.#bySlot = new Map(all.map((one) => [one.slot, one]))
    this.#breakers = new Map(all.map(({ model }) => [model, new Breaker(settings, now)]))
  }

  get base(): Answerer | undefined {
    return this.#bySlot.get('base')
  }

  has = (slot: SlotName): boolean => this.#bySlot.has(slot)

  /** The model for images, if there is one. */
  get seeing(): Answerer | undefined {
    return this.#bySlot.get('vision')
  }

  /** The model that is shown images: the one that people chose, if it can see them, or else the one for images. */
  seeingFor(chosen: SlotName | undefined): Answerer | undefined {
    const [first] = chosen === undefined ? [] : this.for({ chosen, task: undefined })
    return first?.sees ? first : this.seeing
  }

  /** Best first, and no model twice. */
  for(wish: { chosen: SlotName | undefined; task: Task | undefined }): Answerer[] {
    const all = routeOf(wish, this.has).flatMap((slot) => this.#bySlot.get(slot) ?? [])
    return all.filter(({ model }, place) => all.findIndex((other) => other.model === model) === place)
  }

  /** Whether its failures don't speak against asking it now. */
  lets({ model }: Answerer): boolean {
    return this.#breakers.get(model)?.lets() ?? true
  }

  answered({ model }: Answerer): void {
    this.#breakers.get(model)?.answered()
  }

  failed({ model }: Answerer): void {
    this.#breakers.get(model)?.failed()
  }
}
