import { callOnce, type Intent } from '../situation.ts'

export const listAlarms: Intent = {
  name: 'list-alarms',
  example: 'list my alarms',
  matches: (text) => /\b(list|show|which|what)\b.*\b(alarms?|reminders?)\b|(有哪些|列出).*(闹钟|提醒)/i.test(text),
  next: (situation) => callOnce(situation, { name: 'alarm_list', input: {} }, (result) => result),
}
