import type { Evidence } from './check.ts'

/** The rows still match everything that screens were shown. */
export function checkShown({ rows, ledger, fault }: Evidence): void {
  const types = new Map(rows.events.map(({ session_id, id, type }) => [`${session_id} ${id}`, type]))
  for (const [conversation, events] of ledger.shown) {
    for (const [id, type] of events) {
      const stored = types.get(`${conversation} ${id}`)
      if (stored !== type) fault('shown', `${conversation} ${id} was shown as ${type} and is ${stored ?? 'gone'}`)
    }
  }
}
