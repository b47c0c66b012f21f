import type { Evidence } from './check.ts'
import { groupBy } from './rows.ts'

const outside = new Set(['notify', 'notify_asked', 'notify_again'])

/** Nothing happened outside twice; what a call's row says is what happened; acts and observes are pairs. */
export function checkCalls({ rows, effects, fault }: Evidence): void {
  const arrived = groupBy(effects, ({ key }) => key)
  const calls = new Map(rows.calls.map((row) => [row.id as string, row]))
  for (const [key, of] of arrived) {
    if (!calls.has(key)) fault('effect', `${key}: ${JSON.stringify(of[0])} has no call`)
  }
  for (const { id, tool, state, session_id } of rows.calls) {
    if (!outside.has(tool)) continue
    const times = arrived.get(id)?.length ?? 0
    const where = `${id} (${tool}, ${state}, ${session_id})`
    if (times > 1 && tool !== 'notify_again') fault('effect twice', `${where} took effect ${times} times`)
    if (times === 0 && state === 'done') fault('effect', `${where} took no effect`)
    if (times > 0 && state === 'denied') fault('effect', `${where} took effect`)
  }
  for (const [what, of] of groupBy(effects, ({ tool, token }) => `${tool} ${token}`)) {
    const keys = new Set(of.map(({ key }) => key))
    if (keys.size > 1) fault('effect twice', `${what} was done by ${[...keys].join(' and ')}`)
  }
  checkPairs({ rows, fault })
}

function checkPairs({ rows, fault }: Pick<Evidence, 'rows' | 'fault'>): void {
  const events = groupBy(
    rows.events.filter(({ type }) => type === 'act' || type === 'observe'),
    ({ data }) => `${data.call_id}`,
  )
  const results = groupBy(
    rows.messages.filter(({ role }) => role === 'tool'),
    ({ call_id }) => `${call_id}`,
  )
  for (const { id, tool, state, attempt, result, session_id } of rows.calls) {
    const of = events.get(id) ?? []
    const acts = of.filter(({ type }) => type === 'act')
    const observes = of.filter(({ type }) => type === 'observe')
    const where = `${id} (${tool}, ${state}, ${session_id})`
    if (['proposed', 'waiting', 'started'].includes(state)) fault('call', `${where} has not ended`)
    // A message may be read by a turn that an alarm started, which may not set another alarm so soon.
    const isTooSoon = tool === 'alarm_set' && result?.includes('is too soon in a turn that an alarm began') === true
    if (state === 'failed' && !isTooSoon) fault('call', `${where}: ${result}`)
    if (observes.length !== 1) fault('call', `${where} has ${observes.length} observe events`)
    const [observe] = observes
    if (observe?.data.status !== state || observe?.data.result !== result)
      fault('call', `${where} was observed otherwise`)
    const wanted = state === 'denied' ? 0 : Math.max(1, attempt)
    if (acts.length !== wanted) fault('call', `${where} has ${acts.length} act events and ${attempt} attempts`)
    if (acts.some((act) => act.id > (observe?.id ?? 0))) fault('call', `${where} was observed before its act`)
    if (attempt > 1 && (tool === 'notify' || tool === 'notify_asked'))
      fault('effect twice', `${where} ran ${attempt} times`)
    const told = results.get(id) ?? []
    if (told.length !== 1 || told[0]?.text !== result)
      fault('call', `${where} has ${told.length} results in the history`)
  }
}
