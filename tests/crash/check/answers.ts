import type { Evidence } from './check.ts'
import { groupBy } from './rows.ts'

/** Every message that wasn't an answer itself is answered once, in the history and in the thread. */
export function checkAnswers({ rows, received, ledger, fault }: Evidence): void {
  const turns = new Map(rows.turns.map((row) => [row.id, row]))
  const inHistory = countOf(rows.messages.filter(({ role }) => role === 'assistant').map(({ text }) => text))
  const posted = rows.events.filter(({ type, data }) => type === 'message' && data.role === 'assistant')
  const inThread = countOf(posted.map(({ data }) => `${data.text}`))

  for (const { token } of ledger.sent.values()) {
    const [row] = received.get(token) ?? []
    if (row === undefined) continue
    const wanted = row.kind === 'message' ? 1 : 0
    const excused = row.turn_id !== null && turns.get(row.turn_id)?.state === 'stopped'
    for (const [where, counts] of [
      ['history', inHistory],
      ['thread', inThread],
    ] as const) {
      const found = counts.get(`answer ${token}`) ?? 0
      if (found < wanted && !excused) fault('missing', `${token} of ${row.session_id} has no answer in the ${where}`)
      if (found > wanted) fault('doubled', `${token} of ${row.session_id} has ${found} answers in the ${where}`)
    }
  }
  // The messages of a turn may have been deleted between two of its steps, so it has nothing to answer.
  const takenBack = new Set(
    rows.messages.flatMap(({ origin, text, session_id, seq }) =>
      origin === 'note' && text.includes('was deleted') ? [`${session_id} ${seq}`] : [],
    ),
  )
  for (const { text, session_id, seq } of rows.messages) {
    if (text === 'nothing new' && !takenBack.has(`${session_id} ${seq - 1}`))
      fault('doubled', `message ${seq} of ${session_id}: the model was asked for nothing`)
  }
  checkOutbox({ rows, fault }, posted)
}

/** Each outbox row was delivered, each answer is one event in order, and each posted event has its row. */
function checkOutbox({ rows, fault }: Pick<Evidence, 'rows' | 'fault'>, posted: Evidence['rows']['events']): void {
  const byKey = groupBy(posted, ({ key }) => `${key}`)
  const lastOf = new Map<string, number>()
  for (const { key, session_id, seq, state, kind, payload } of rows.outbox) {
    const events = byKey.get(key) ?? []
    if (state !== 'delivered') fault('outbox', `${key} of ${session_id} is ${state}`)
    if (kind !== 'answer') continue
    if (events.length !== 1) fault('outbox', `${key} of ${session_id} was posted ${events.length} times`)
    const [event] = events
    if (event === undefined) continue
    if (event.data.text !== (JSON.parse(payload) as { text: string }).text)
      fault('outbox', `${key} says something else`)
    if (event.id <= (lastOf.get(session_id) ?? 0))
      fault('out of order', `${key}, ${seq} of ${session_id}, was posted too early`)
    lastOf.set(session_id, event.id)
  }
  const rowsOf = new Set(rows.outbox.map(({ key }) => key))
  for (const { key, session_id, id } of posted) {
    if (!rowsOf.has(`${key}`)) fault('outbox', `event ${id} of ${session_id} has no outbox row`)
  }
}

/** How often each "answer <token>" and "rang <token>" occurs in the texts. */
export function countOf(texts: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) {
    for (const [words] of text.matchAll(/(?:answer|rang) tok-\d+-\d+r?/g))
      counts.set(words, (counts.get(words) ?? 0) + 1)
  }
  return counts
}
