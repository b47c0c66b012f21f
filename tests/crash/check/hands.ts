import { markOfTask } from '../hands.ts'
import type { Evidence } from './check.ts'
import { groupBy } from './rows.ts'

/**
 * A transaction bears the time of its beginning, and may then wait for a child's row: what was committed before a stop may
 * bear a time this much later, ms. On a server that is killed now and then it waits longer.
 */
const overlapsMs = { alone: 1_000, onServer: 5_000 }

/** Each part of the work was done by one subagent, whose result its parent read once, and none outlived its parent's turn. */
export function checkHands({ rows, ledger, fault }: Evidence): void {
  const overlapMs = ledger.hasServer ? overlapsMs.onServer : overlapsMs.alone
  const turns = groupBy(rows.turns, ({ session_id }) => session_id)
  const byId = new Map(rows.turns.map((row) => [row.id, row]))
  const children = groupBy(
    rows.sessions.filter(({ parent }) => parent !== null),
    ({ parent_call }) => `${parent_call}`,
  )
  const ends = groupBy(
    rows.inbox.filter(({ dedup_key }) => dedup_key.startsWith('child:')),
    ({ dedup_key }) => dedup_key.slice('child:'.length),
  )
  const calls = new Map(rows.calls.map((row) => [row.id as string, row]))
  for (const [call, of] of children) {
    if (!calls.has(call)) fault('child', `${of[0]?.id} belongs to no call`)
    if (of.length > 1) fault('child', `${call} opened ${of.map(({ id }) => id).join(' and ')}`)
  }
  const delegated = rows.calls.filter(({ tool }) => tool === 'delegate_task' || tool === 'plan_step')
  for (const { id, state, result, turn_id, arguments: text } of delegated) {
    const isStopped = byId.get(turn_id)?.state === 'stopped'
    const mark = markOfTask(text)
    const where = `${id} (${state}, ${mark})`
    if (state !== 'done') {
      if (!isStopped) fault('child', `${where}: ${result}`)
      continue
    }
    if (children.get(id)?.length !== 1) fault('child', `${where} has no subagent`)
    if (ends.get(id)?.length !== 1) fault('child', `${where} was told of ${ends.get(id)?.length ?? 0} ends`)
    if (!result?.includes(`did ${mark}`)) fault('child', `${where} has another result: ${result}`)
  }
  for (const [mark, of] of groupBy(delegated, ({ arguments: text }) => markOfTask(text)))
    if (of.length > 1) fault('child', `${mark} was given out by ${of.map(({ id }) => id).join(' and ')}`)

  for (const { id, parent, parent_turn } of rows.sessions) {
    if (parent === null || parent_turn === null) continue
    const own = turns.get(id) ?? []
    const above = byId.get(parent_turn)
    if (own.length > 1) fault('child', `${id} has ${own.length} turns`)
    if (own.length === 0 && above?.state !== 'stopped') fault('child', `${id} never worked`)
    const over = above?.ended_at ?? Number.POSITIVE_INFINITY
    for (const turn of own)
      if ((turn.ended_at ?? Number.POSITIVE_INFINITY) > over + overlapMs)
        fault('child', `${id} went on after ${parent_turn}`)
    const late = rows.calls.filter((call) => call.session_id === id && call.proposed_at > over + overlapMs)
    if (late.length > 0) fault('child', `${id} asked a model after ${parent_turn} had ended`)
    const spent = rows.usage.filter((row) => row.session_id === id && row.at > over + overlapMs)
    if (spent.length > 0) fault('child', `${id} spent money after ${parent_turn} had ended`)
  }
}
