/** What the database was sent in a while. */
export interface Sent {
  /** Writing transactions, and those of them that were commits of their own: what waits together is committed together. */
  transactions: number
  commits: number
  /** What reads and writes, and how often, the most frequent first. */
  statements: [sql: string, count: number][]
  count: number
}

const control = /^(begin|commit|rollback|savepoint|release)\b/

/** Counts the statements that a bot sends to its database: give `onStatement` to it. */
export class Statements {
  #sent: string[] = []
  #lastAt = 0

  readonly onStatement = (sql: string): void => {
    this.#sent.push(sql)
    this.#lastAt = performance.now()
  }

  /** Resolves once nothing was sent for so long. */
  async quiet(ms: number): Promise<void> {
    for (;;) {
      const left = this.#lastAt + ms - performance.now()
      if (left <= 0) return
      await new Promise((resolve) => setTimeout(resolve, left))
    }
  }

  /** What was sent since the last time. */
  take(): Sent {
    const sent = this.#sent
    this.#sent = []
    const kinds = new Map<string, number>()
    let transactions = 0
    let commits = 0
    for (const sql of sent) {
      if (sql === 'begin immediate') commits++
      if (sql === 'savepoint write') transactions++
      if (!control.test(sql)) kinds.set(shortened(sql), (kinds.get(shortened(sql)) ?? 0) + 1)
    }
    const statements = [...kinds].toSorted(([, a], [, b]) => b - a)
    return {
      transactions,
      commits,
      statements,
      count: statements.reduce((sum, [, count]) => sum + count, 0),
    }
  }
}

/** Lists of values and of columns say nothing of which statement it is. */
const shortened = (sql: string): string =>
  sql
    .replaceAll('"', '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(\(\?(, \?)*\))(, \(\?(, \?)*\))*/g, '(…)')
    .replace(/^(insert into \w+) \([^)]*\)/, '$1')
