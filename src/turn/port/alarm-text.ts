import { knownZone } from '../../kit/calendar/zone.ts'
import { plainName } from '../../kit/text/text.ts'
import type { InboxEvent } from '../../store/inbox-event.ts'
import { turnWords } from './words.ts'

/** An alarm that is at most this late counts as on time. */
const punctualMs = 5_000

/** What the model reads of an alarm, at the time `now`: it may have rung long before, while a card waited. */
export function alarmText({ payload }: Extract<InboxEvent, { kind: 'alarm' }>, now: number): string {
  const timeZone = knownZone(payload.timeZone)
  const due = new Date(payload.dueAt).toLocaleString('sv-SE', { timeZone })
  const setter = plainName(payload.person.name)
  const set = `Alarm set by ${setter} for ${due} ${timeZone}`
  return `[${withLateness(set, now - payload.dueAt)}] ${payload.message}`
}

/** With how late it is, unless it is on time. */
export function withLateness(text: string, lateMs: number): string {
  if (lateMs <= punctualMs) return text
  const minutes = Math.round(lateMs / 60_000)
  if (minutes < 1) return turnWords.secondsLate({ text, seconds: Math.round(lateMs / 1000) })
  if (minutes < 120) return turnWords.minutesLate({ text, minutes })
  return turnWords.alarmHoursLate({ text, hours: Math.round(minutes / 60) })
}
