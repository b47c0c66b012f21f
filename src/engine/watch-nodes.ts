import { nodesOf, takeLocksFrom } from '../store/lock.ts'
import type { LockRow } from '../store/schema.ts'
import type { Store } from '../store/store.ts'

/** What this process has seen of the others. Their clocks may be wrong, so only the change of a beat counts. */
export class NodesSeen {
  readonly #silentMs: number
  readonly #seen = new Map<string, { beat: number; since: number }>()
  #lookedAt = -Infinity
  #own = { beat: -Infinity, since: -Infinity }
  /** The holders that were silent at the last look. */
  silent: ReadonlySet<string> = new Set()

  constructor(silentMs: number) {
    this.#silentMs = silentMs
  }

  /**
   * Which of them have been silent for too long, and whether one that worked has gone. `at`: by a clock that is never
   * set. `own`: the lock of this process.
   */
  look(nodes: readonly LockRow[], at: number, own?: LockRow): { silent: LockRow[]; hasGone: boolean } {
    if (own !== undefined && own.beat_at !== this.#own.beat) this.#own = { beat: own.beat_at, since: at }
    // While this process was frozen, or the server away, nobody could be seen beating. While it can't beat itself,
    // perhaps nobody can.
    const isBlind = at - this.#lookedAt > this.#silentMs / 2
    const isMute = own !== undefined && at - this.#own.since > this.#silentMs / 2
    if (isBlind || isMute) for (const one of this.#seen.values()) one.since = at
    this.#lookedAt = at
    const there = new Set(nodes.map(keyOf))
    const gone = [...this.#seen.keys()].filter((key) => !there.has(key))
    for (const key of gone) this.#seen.delete(key)
    const silent = nodes.filter((node) => {
      const seen = this.#seen.get(keyOf(node))
      if (seen?.beat === node.beat_at) return at - seen.since > this.#silentMs
      this.#seen.set(keyOf(node), { beat: node.beat_at, since: at })
      return false
    })
    this.silent = new Set(silent.map(({ holder }) => holder))
    return { silent, hasGone: gone.length > 0 }
  }
}

/** A drained process counts as another one, so that the one that worked is gone, and the others continue its work. */
const keyOf = ({ holder, state }: LockRow): string => (state === 'drained' ? `drained ${holder}` : holder)

export interface NodeWatch {
  /** Another process is gone or drained: the others continue its work. */
  gone(): Promise<void>
  /** Somebody wants this process to take nothing new. Called at each look. */
  drain(): void
}

/** A look at the nodes, to be repeated. If `gone` fails, the next look calls it again. */
export function watchNodes(store: Store, holder: string, seen: NodesSeen, { gone, drain }: NodeWatch) {
  let isOwed = false
  return async (): Promise<void> => {
    const nodes = await nodesOf(store.db)
    if (nodes.some((node) => node.holder === holder && node.state === 'draining')) drain()
    const others = nodes.filter((node) => node.holder !== holder)
    const own = nodes.find((node) => node.holder === holder)
    const { silent, hasGone } = seen.look(others, performance.now(), own)
    const taken = await Promise.allSettled(silent.map((node) => takeLocksFrom(store, node, holder)))
    isOwed ||= hasGone || taken.some((one) => one.status === 'fulfilled' && one.value)
    if (isOwed) await gone()
    isOwed = false
    // Whoever has gone is told once, so that work comes first.
    for (const one of taken) if (one.status === 'rejected') throw one.reason
  }
}
