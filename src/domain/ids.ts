import { randomBytes } from 'node:crypto'

/** Ids begin with their kind, so that a log line or a URL explains itself. */
type Id<Prefix extends string> = `${Prefix}_${string}`

export type SessionId = Id<'ses'>
export type TurnId = Id<'turn'>
export type CallId = Id<'call'>
export type RequestId = Id<'req'>
export type GrantId = Id<'grant'>
export type AlarmId = Id<'alarm'>
export type JobId = Id<'job'>
export type MessageId = Id<'msg'>
export type PlanId = Id<'plan'>
export type TextId = Id<'text'>

/** The id of the alarm that a call sets, so that the call finds it when it runs again. */
export const alarmOfCall = (call: CallId): AlarmId => `alarm_${call.slice('call_'.length)}`

/** The call that set an alarm, unless a person did. */
export const callOfAlarm = (alarm: AlarmId): CallId => `call_${alarm.slice('alarm_'.length)}`

/** An alarm's id as people write it. */
export const shortAlarmId = (id: AlarmId): string => id.slice('alarm_'.length, 'alarm_'.length + 14)

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * 9 characters of milliseconds, then 60 random bits: ids of one process sort by age, and can't be guessed from each
 * other.
 */
export function newId<Prefix extends string>(prefix: Prefix, now: number = Date.now()): Id<Prefix> {
  let time = ''
  for (let rest = now; time.length < 9; rest = Math.floor(rest / 32)) time = alphabet[rest % 32] + time
  let random = ''
  for (const byte of randomBytes(12)) random += alphabet[byte % 32]
  return `${prefix}_${time}${random}`
}
