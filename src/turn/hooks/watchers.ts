import type { Endpoint, Moment, MomentPlace, Watcher } from '../port/moments.ts'

interface Named {
  capability: string
  watcher: Watcher | undefined
}

/** Stops one capability. */
export type Stop = [capability: string, stop: () => Promise<void>]

/** Those who watch one bot's turns. */
export class Watchers {
  readonly #report: (capability: string, hook: string, thrown: unknown) => void
  #all: readonly { capability: string; watcher: Watcher }[] = []

  constructor(report: (capability: string, hook: string, thrown: unknown) => void) {
    this.#report = report
  }

  /** Returns the addresses that they add. */
  set(all: readonly Named[]): Endpoint[] {
    this.#all = all.flatMap(({ capability, watcher }) => (watcher === undefined ? [] : [{ capability, watcher }]))
    return this.#all.flatMap(({ watcher }) => [...(watcher.endpoints ?? [])])
  }

  /** Never throws. */
  see(moment: Moment, place: MomentPlace): void {
    for (const { capability, watcher } of this.#all) {
      try {
        watcher.see(moment, place)
      } catch (thrown) {
        this.#report(capability, 'watch', thrown)
      }
    }
  }

  async start(): Promise<void> {
    for (const { watcher } of this.#all) await watcher.start?.()
  }

  stops(): Stop[] {
    return this.#all.toReversed().map(({ capability, watcher }) => [capability, async () => watcher.stop?.()])
  }
}
