/** The statements sent to the database in a period. */
export interface Sent {
  /** Write transactions, and the commits they shared: those that wait together are committed together. */
  transactions: number
  commits: number
  /** Reads and writes with their counts, most frequent first. */
  statements: [sql: string, count: number][]
  count: number
}

const control = /^(begin|commit|rollback|savepoint|release)\b/

/** Counts the statements that a bot sends to its database through `onStatement`. */
export class Statements {
  #sent: string[] = []
  #lastAt = 0

  readonly onStatement = (sql: string): void => {
    this.#sent.push(sql)
    this.#lastAt = performance.now()
  }

  /** Resolves once nothing was sent for this long. */
  async quiet(ms: number): Promise<void> {
    for (;;) {
      const left = this.#lastAt + ms - performance.now()
      if (left <= 0) return
      await new Promise((resolve) => setTimeout(resolve, left))
    }
  }

  /** The statements sent since the last call. */
  take(): Sent {
    const sent = this.#sent
    this.#sent = []
    const kinds = new Map<string, number>()
    let transactions = 0
    let commits = 0
    let savepoints = 0
    for (const sql of sent) {
      if (sql === 'begin immediate') commits++
      if (sql === 'savepoint write') savepoints++
      if (sql === 'commit' || sql === 'rollback') {
        // One that is alone has no savepoint.
        transactions += Math.max(1, savepoints)
        savepoints = 0
      }
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

/** Lists of values and columns don't identify a statement. */
const shortened = (sql: string): string =>
  sql
    .replaceAll('"', '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(\(\?(, \?)*\))(, \(\?(, \?)*\))*/g, '(…)')
    .replace(/^(insert into \w+) \([^)]*\)/, '$1')
