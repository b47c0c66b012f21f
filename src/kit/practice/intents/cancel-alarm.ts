import { doneCalls, type Intent, resultOf } from '../situation.ts'

const alarmId = /\balarm_(?!set|list|cancel)\w+/g

/**
 * The alarms that the person means: the ids they wrote, all of them, or the only one. Undefined if that isn't clear.
 */
function meant(text: string, existing: string[]): string[] | undefined {
  const named = text.match(alarmId)
  if (named) return named
  return existing.length === 1 || /\b(all|every|alarms|reminders)\b|所有|全部/i.test(text) ? existing : undefined
}

export const cancelAlarm: Intent = {
  name: 'cancel-alarm',
  example: 'cancel all alarms',
  matches: (text) =>
    /\b(cancel|delete|remove|stop|clear)\b.*\b(alarms?|reminders?|alarm_\w+)\b|取消.*(闹钟|提醒)/i.test(text),
  next(situation) {
    const list = resultOf(situation, 'alarm_list')
    if (list === undefined) return { text: '', calls: [{ name: 'alarm_list', input: {} }] }

    const cancelled = doneCalls(situation, 'alarm_cancel')
    if (cancelled.length > 0) return { text: cancelled.map(({ outcome }) => outcome.text).join('\n') }

    const existing = [...new Set(list.match(alarmId) ?? [])]
    if (existing.length === 0) return { text: 'There is no alarm to cancel.' }
    const ids = meant(situation.text, existing)
    if (ids === undefined) return { text: `Which one? Write “cancel” and its id.\n\n${list}` }
    return { text: '', calls: ids.map((id) => ({ name: 'alarm_cancel', input: { alarm_id: id } })) }
  },
}
