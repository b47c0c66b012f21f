import type { Given } from '../ledger.ts'
import type { Evidence } from './check.ts'
import { groupBy, homesIn } from './rows.ts'

const replyTypes = ['permission_replied', 'question_answered', 'decision_answered', 'doom_loop_intervened']

type Answer = { decision?: string; text?: string }

/** Each request was answered once, with the answer that the API acknowledged, and the decision was carried out. */
export function checkDecisions({ rows, ledger, fault }: Evidence): void {
  const given = groupBy(ledger.given, ({ request }) => request)
  const homeOf = homesIn(rows)
  const calls = new Map(rows.calls.map((row) => [row.id, row]))
  const stopped = new Set(rows.turns.flatMap(({ id, state }) => (state === 'stopped' ? [id] : [])))
  const replies = groupBy(
    rows.events.filter(({ type }) => replyTypes.includes(type)),
    // That of a subagent is told in its parent's thread, too.
    ({ session_id, data }) => `${session_id} ${data.request_id}`,
  )
  for (const row of rows.requests) {
    const where = `${row.id} (${row.kind}, ${row.state}, ${row.session_id})`
    for (const session of new Set([row.session_id, homeOf(row.session_id)])) {
      const told = replies.get(`${session} ${row.id}`)?.length ?? 0
      if (told > 1) fault('decision twice', `${where} has ${told} replies in ${session}`)
      if (told === 0) fault('decision', `${where} has no reply in ${session}`)
    }
    const taken = (given.get(row.id) ?? []).filter(({ status }) => status === 200)
    if (taken.length > 1)
      fault('decision twice', `${where} was taken by ${taken.map(({ user }) => user).join(' and ')}`)
    if (row.state === 'cancelled' && !stopped.has(row.turn_id)) fault('decision', `${where}, and its turn went on`)
    if (row.state === 'cancelled' && taken.length > 0) fault('decision', `${where} had been taken`)
    if (row.state !== 'answered') continue

    const answer = JSON.parse(row.answer ?? '{}') as Answer
    const { id: by = 'nobody', name } = JSON.parse(row.answered_by ?? '{}') as { id?: string; name?: string }
    for (const one of taken) {
      if (!says(one, answer, by))
        fault('decision', `${where} was taken from ${one.user}, and has ${row.answer} of ${by}`)
    }
    const call = calls.get(row.call_id)
    if (call === undefined) continue
    const right =
      row.kind === 'approval'
        ? answer.decision === 'deny'
          ? call.state === 'denied'
          : ['done', 'unknown'].includes(call.state)
        : row.kind === 'loop'
          ? call.result?.includes(`${answer.text}`)
          : call.result === `${name} answered: ${answer.text}`
    if (!right && !stopped.has(row.turn_id))
      fault('decision', `${where}: ${row.answer}, and the call is ${call.state}: ${call.result}`)
    if (call.state === 'done' && answer.decision === 'deny') fault('decision', `${where} was denied and done`)
  }
}

const says = ({ user, answer }: Given, row: Answer, by: string): boolean =>
  user === by && (row.decision ?? row.text) === answer
