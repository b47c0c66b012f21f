import type { Evidence } from './check.ts'
import { groupBy } from './rows.ts'

/** Numbers have no gaps, and messages are in the order in which they were sent. */
export function checkOrder({ rows, ledger, fault }: Evidence): void {
  const events = groupBy(rows.events, ({ session_id }) => session_id)
  const messages = groupBy(rows.messages, ({ session_id }) => session_id)
  const inbox = groupBy(rows.inbox, ({ session_id }) => session_id)
  for (const { id, next_event, next_message, next_inbox } of rows.sessions) {
    gapless(id, 'event', events.get(id)?.map((row) => row.id) ?? [], next_event)
    gapless(id, 'message', messages.get(id)?.map(({ seq }) => seq) ?? [], next_message)
    gapless(id, 'inbox row', inbox.get(id)?.map(({ seq }) => seq) ?? [], next_inbox)
    const said = (events.get(id) ?? []).filter(({ type, data }) => type === 'message' && data.role === 'user')
    asSent(
      id,
      'thread',
      said.map(({ data }) => JSON.stringify(data)),
    )
    const read = (messages.get(id) ?? []).filter(({ role, origin }) => role === 'user' && origin === 'person')
    asSent(
      id,
      'history',
      read.map(({ text, files }) => `${text} ${files}`),
    )
  }

  function gapless(session: string, what: string, numbers: number[], next: number): void {
    const wrong = numbers.findIndex((number, index) => number !== index + 1)
    if (wrong >= 0) fault('gap', `${what} ${wrong + 1} of ${session} has number ${numbers[wrong]}`)
    if (numbers.length !== next - 1) fault('gap', `${session} has ${numbers.length} ${what}s, and ${next} is the next`)
  }

  /** A message that was acknowledged before another was sent comes first. */
  function asSent(session: string, where: string, texts: string[]): void {
    const order = texts.flatMap((text) => ledger.sent.get(/tok-\d+-\d+r?/.exec(text)?.[0] ?? '') ?? [])
    for (const [place, earlier] of order.entries()) {
      for (const later of order.slice(place + 1)) {
        if (earlier.sentAt > (later.acknowledgedAt ?? Number.POSITIVE_INFINITY)) {
          fault('out of order', `${earlier.token} stands before ${later.token} in the ${where} of ${session}`)
        }
      }
    }
  }
}
