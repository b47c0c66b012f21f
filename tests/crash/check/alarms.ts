import { countOf } from './answers.ts'
import type { Evidence } from './check.ts'
import { groupBy } from './rows.ts'

/** Each alarm that was set is there, rang once, was read once, and was mentioned once. */
export function checkAlarms({ rows, fault }: Evidence): void {
  const turns = new Map(rows.turns.map((row) => [row.id, row]))
  const inbox = groupBy(
    rows.inbox.filter(({ kind }) => kind === 'alarm'),
    ({ payload }) => (JSON.parse(payload) as { alarm: string }).alarm,
  )
  const events = groupBy(
    rows.events.filter(({ type, data }) => type === 'message' && data.role === 'alarm'),
    ({ data }) => `${data.alarm_id}`,
  )
  const said = countOf(rows.messages.filter(({ role }) => role === 'assistant').map(({ text }) => text))
  const read = groupBy(
    rows.messages.filter(({ origin }) => origin === 'alarm'),
    ({ text }) => /alarm (tok-\d+-\d+r?)/.exec(text)?.[1] ?? '',
  )
  const kept = new Set(rows.alarms.map(({ message }) => message))
  for (const { id, tool, state, arguments: given } of rows.calls) {
    if (tool !== 'alarm_set' || state !== 'done') continue
    const { message } = JSON.parse(given) as { message: string }
    if (!kept.has(message)) fault('alarm', `${id} set "${message}", and there is none`)
  }
  for (const { id, message, state, session_id } of rows.alarms) {
    const token = message.replace('alarm ', '')
    const where = `${id} (${token}, ${session_id})`
    const rung = inbox.get(id) ?? []
    if (state !== 'fired') fault('alarm', `${where} is ${state}`)
    if (rung.length !== 1) fault('alarm', `${where} rang ${rung.length} times`)
    if (events.get(id)?.length !== 1) fault('alarm', `${where} has ${events.get(id)?.length ?? 0} events`)
    const turn = rung[0]?.turn_id
    const excused = turn != null && turns.get(turn)?.state === 'stopped'
    // Stopped before it was read: it waits for the thread's next message.
    const waits = excused && rung[0]?.state === 'held'
    const reads = read.get(token)?.length ?? 0
    if (reads !== (waits ? 0 : 1)) fault('alarm', `${where} was read ${reads} times`)
    const times = said.get(`rang ${token}`) ?? 0
    if (times > 1 || (times === 0 && !excused)) fault('alarm', `${where} was spoken of ${times} times`)
  }
  for (const [message, of] of groupBy(rows.alarms, ({ message }) => message)) {
    if (of.length > 1) fault('alarm', `"${message}" was set ${of.length} times`)
  }
}
