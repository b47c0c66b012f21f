import type { Sent } from '../ledger.ts'
import type { Evidence } from './check.ts'
import { groupBy, type Rows, tokenIn } from './rows.ts'

/** Every acknowledged message is in the history once and was read by exactly one turn, unless it was an answer. */
export function checkMessages({ rows, received, ledger, fault }: Evidence): void {
  const requests = new Map(rows.requests.map((row) => [row.id as string, row]))
  const stopped = new Set(rows.turns.flatMap(({ id, state }) => (state === 'stopped' ? [id as string] : [])))
  // What is routed to an agent is the message itself.
  const children = new Set(rows.sessions.flatMap(({ id, parent }) => (parent === null ? [] : [id])))
  const said = groupBy(
    rows.events.filter((row) => row.type === 'message' && row.data.role === 'user' && !children.has(row.session_id)),
    ({ data }) => tokenIn(`${data.text} ${JSON.stringify(data.files)}`),
  )
  const history = groupBy(
    rows.messages.filter(({ role, origin }) => role === 'user' && origin === 'person'),
    // A message that answers a question loses its text to the answer, but its file's name has the token too.
    ({ text, files }) => tokenIn(`${text} ${files}`),
  )

  for (const sent of ledger.sent.values()) {
    const { token, conversation } = sent
    const inbox = received.get(token) ?? []
    if (sent.acknowledgedAt === undefined) fault('lost', `${token} was never acknowledged`)
    once(inbox.length, `${token} of ${conversation} in the inbox`)
    once((said.get(token) ?? []).length, `${token} of ${conversation} as an event`)
    for (const row of inbox) {
      if (row.session_id !== conversation) fault('doubled', `${token} is in ${row.session_id}, not in ${conversation}`)
      if (row.kind === 'message') checkRead(sent, row)
      else checkAnswer(sent, row)
    }
  }
  const known = new Set([...ledger.sent.values()].flatMap(({ conversation }) => conversation ?? []))
  for (const { id, parent } of rows.sessions)
    if (parent === null && !known.has(id)) fault('doubled', `conversation ${id} belongs to nobody`)

  function once(times: number, what: string): void {
    if (times !== 1) fault(times === 0 ? 'lost' : 'doubled', `${what}: ${times} times`)
  }

  function checkRead({ token, conversation }: Sent, { state, turn_id }: Rows['inbox'][number]): void {
    const read = history.get(token) ?? []
    const inStopped = stopped.has(`${turn_id}`)
    // Sent during a turn that was stopped; it is read with the next message, if there is one.
    if (inStopped && state === 'held' && read.length === 0) return
    if (state !== 'taken' || turn_id === null)
      fault('lost', `${token} of ${conversation} is ${state}, read by ${turn_id}`)
    once(read.length, `${token} of ${conversation} in the history`)
    if (!inStopped && read.some((row) => row.turn_id !== turn_id)) fault('lost', `${token} was read by another turn`)
  }

  function checkAnswer({ token, text, user }: Sent, { payload, state, turn_id }: Rows['inbox'][number]): void {
    const request = requests.get((JSON.parse(payload) as { request: string }).request)
    const excused = stopped.has(`${request?.turn_id}`)
    if (!excused && (state !== 'taken' || turn_id === null))
      fault('lost', `${token} answered ${request?.id} and was not read`)
    if (history.has(token)) fault('doubled', `${token} was an answer and is in the history too`)
    const answer = JSON.parse(request?.answer ?? '{}') as { text?: string }
    const by = JSON.parse(request?.answered_by ?? '{}') as { id?: string }
    if (answer.text !== text || by.id !== user) {
      fault('lost', `${token} was taken as the answer to ${request?.id}, which has ${request?.answer}`)
    }
  }
}
