import { setTimeout as sleep } from 'node:timers/promises'
import type { NodesDatabase } from './database.ts'

/** Looked at this often, ms. */
const lookMs = 50
const mostMs = 60_000

/** How long the work of a process stood still after it had ended, ms. */
export class Gaps {
  readonly #database: NodesDatabase
  readonly #watching = new Set<Promise<void>>()
  readonly #measured = new Map<string, number[]>()
  /** While the server is away everything stands still. */
  #outages = 0

  constructor(database: NodesDatabase) {
    this.#database = database
  }

  outage(): void {
    this.#outages++
  }

  /** Call it when the process has just ended. */
  watch(what: string, holder: string | undefined): void {
    if (holder === undefined) return
    const watching = this.#watch(what, holder).finally(() => this.#watching.delete(watching))
    // Nobody asks for the lines of a campaign that was broken off.
    watching.catch(() => {})
    this.#watching.add(watching)
  }

  async #watch(what: string, holder: string): Promise<void> {
    const [outages, since] = [this.#outages, performance.now()]
    while ((await this.#stillHeld(holder)) > 0 && performance.now() - since < mostMs) await sleep(lookMs)
    if (outages !== this.#outages) return
    this.#measured.set(what, [...(this.#measured.get(what) ?? []), Math.round(performance.now() - since)])
  }

  /** Sessions with work to do that nobody else has taken. Turns that died twice run one at a time, and may wait longer. */
  async #stillHeld(holder: string): Promise<number> {
    const [row] = await this.#database.stored.all<{ count: number }>(`select count(*) as count from sessions
      where holder = '${holder}' and exists (select 1 from turns where session_id = sessions.id and state = 'running' and deaths < 2)`)
    return row?.count ?? 0
  }

  /** For the report. */
  async lines(): Promise<string[]> {
    await Promise.all(this.#watching)
    return [...this.#measured].map(([what, measured]) => {
      const sorted = measured.toSorted((one, other) => one - other)
      const median = sorted[Math.floor(sorted.length / 2)]
      return `gap after ${what}: median ${median} ms, most ${sorted.at(-1)} ms, of ${sorted.length}`
    })
  }
}
