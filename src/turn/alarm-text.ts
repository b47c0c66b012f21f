import { plainName } from '../kit/text/text.ts'
import type { InboxEvent } from '../store/inbox-event.ts'

/** An alarm that is at most this late counts as on time. */
const punctualMs = 5_000

/** What the model reads when an alarm rings. */
export function alarmText({ at, payload }: Extract<InboxEvent, { kind: 'alarm' }>): string {
  const due = new Date(payload.dueAt).toLocaleString('sv-SE', { timeZone: payload.timeZone })
  const setter = plainName(payload.person.name)
  return `[Alarm set by ${setter} for ${due} ${payload.timeZone}${lateness(at - payload.dueAt)}] ${payload.message}`
}

/** How late, in words; empty when on time. */
export function lateness(lateMs: number): string {
  if (lateMs <= punctualMs) return ''
  const minutes = Math.round(lateMs / 60_000)
  if (minutes < 1) return `; it is ${Math.round(lateMs / 1000)} seconds late`
  if (minutes < 120) return `; it is ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} late`
  return `; it is ${Math.round(minutes / 60)} hours late`
}
