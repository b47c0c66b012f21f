import { nodesOf, takeLocksFrom } from '../store/lock.ts'
import type { LockRow } from '../store/schema.ts'
import type { Store } from '../store/store.ts'

/** What this process has seen of the others. Their clocks may be wrong, so only the change of a beat counts. */
export class NodesSeen {
  readonly #silentMs: number
  readonly #seen = new Map<string, { beat: number; since: number }>()
  #lookedAt = -Infinity

  constructor(silentMs: number) {
    this.#silentMs = silentMs
  }

  /** Which of them are silent for too long, and whether one that was there has gone. `at`: by a clock that is never set. */
  look(nodes: readonly LockRow[], at: number): { silent: LockRow[]; hasGone: boolean } {
    // While this process was frozen, or the server away, nobody could be seen beating.
    if (at - this.#lookedAt > this.#silentMs / 2) for (const one of this.#seen.values()) one.since = at
    this.#lookedAt = at
    const there = new Set(nodes.map(({ holder }) => holder))
    const gone = [...this.#seen.keys()].filter((holder) => !there.has(holder))
    for (const holder of gone) this.#seen.delete(holder)
    const silent = nodes.filter((node) => {
      const seen = this.#seen.get(node.holder)
      if (seen?.beat === node.beat_at) return at - seen.since > this.#silentMs
      this.#seen.set(node.holder, { beat: node.beat_at, since: at })
      return false
    })
    return { silent, hasGone: gone.length > 0 }
  }
}

/** Looks after the other nodes. `gone` is called when one of them is no more, so that the others continue its work. */
export function watchNodes(store: Store, holder: string, silentMs: number, gone: () => Promise<void>) {
  const seen = new NodesSeen(silentMs)
  return async (): Promise<void> => {
    const others = (await nodesOf(store.db)).filter((node) => node.holder !== holder)
    const { silent, hasGone } = seen.look(others, performance.now())
    const taken = await Promise.all(silent.map((node) => takeLocksFrom(store, node, holder)))
    if (hasGone || taken.includes(true)) await gone()
  }
}
