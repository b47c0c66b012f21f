import type { Evidence } from './check.ts'
import { groupBy, homesIn } from './rows.ts'

const endOf = { done: 'complete', failed: 'error', stopped: 'stopped', running: '', waiting: '' } as const

/** Every turn began and ended once, with an event for each, and nothing happened that the fence forbids. */
export function checkTurns({ rows, ledger, fault }: Evidence): void {
  const homeOf = homesIn(rows)
  const events = groupBy(rows.events, ({ data }) => `${data.turn_id}`)
  const replies = groupBy(
    rows.messages.filter(({ role }) => role === 'assistant'),
    ({ turn_id }) => turn_id,
  )
  // What the bot had posted before the first mention, such as a command's answer, is read with it.
  const earlier = groupBy(
    rows.inbox.filter(({ payload }) => JSON.parse(payload).earlier === 'self'),
    ({ turn_id }) => `${turn_id}`,
  )
  for (const { id, session_id, state, steps } of rows.turns) {
    const of = events.get(id) ?? []
    const ends = of.filter(({ type }) => ['complete', 'error', 'stopped'].includes(type))
    const starts = of.filter(({ type }) => type === 'start')
    if (starts.length !== 1) fault('turn', `${id} of ${session_id} has ${starts.length} start events`)
    if (state === 'running' || state === 'waiting') fault('turn', `${id} of ${session_id} is still ${state}`)
    if (ends.length !== 1 || ends[0]?.type !== endOf[state]) {
      fault('turn', `${id} of ${session_id} is ${state} and has ${ends.map(({ type }) => type).join(', ') || 'no end'}`)
    }
    if (state === 'failed') fault('turn', `${id} of ${session_id} failed: ${JSON.stringify(ends[0]?.data)}`)
    if (state === 'stopped' && !ledger.stops.has(homeOf(session_id))) fault('turn', `${id} was stopped by nobody`)
    const last = of.at(-1)
    if (last !== undefined && !['complete', 'error', 'stopped', 'message'].includes(last.type)) {
      fault('turn', `${id} of ${session_id} went on after its end: ${last.type} is event ${last.id}`)
    }
    const said = (replies.get(id)?.length ?? 0) - (earlier.get(id)?.length ?? 0)
    if (said !== steps) fault('turn', `${id} of ${session_id} counts ${steps} steps and has ${said} replies`)
  }
  const stopped = groupBy(
    rows.turns.filter(({ state }) => state === 'stopped'),
    ({ session_id }) => session_id,
  )
  for (const [conversation, heard] of ledger.stops) {
    const found = stopped.get(conversation)?.length ?? 0
    if (found < heard) fault('turn', `${heard} stops were acknowledged in ${conversation}, and ${found} turns stopped`)
  }
  for (const { what, about, who, holder } of rows.spy) {
    fault('fenced', `${what}: ${about} by ${who}${holder === null ? '' : `, while ${holder} holds it`}`)
  }
  for (const damage of rows.damage) fault('damage', damage)
}
