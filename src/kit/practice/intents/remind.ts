import type { JsonObject } from '../../json.ts'
import { reminderIn } from '../reminder.ts'
import { callOnce, type Intent, resultOf, type Situation } from '../situation.ts'
import { nextDate, type When } from '../when.ts'

const asks = /^(remind\b|set (an?|the) (alarm|timer|reminder)\b|wake me\b|提醒|设(置|个)?(一个)?(闹钟|提醒))|后提醒/i

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** In the largest unit that it is a whole number of, because people read it in the line of the call. */
function spoken(ms: number): string {
  const [name, unitMs] = units.find(([, unit]) => ms % unit === 0) ?? ['second', 1_000]
  return `${ms / unitMs} ${name}${ms === unitMs ? '' : 's'}`
}

const twoDigits = (figure: number): string => String(figure).padStart(2, '0')

/** The arguments for alarm_set; "now" if the time of day has to be known first. */
function timeFor(when: When, situation: Situation): JsonObject | 'now' | 'uneven' | undefined {
  if (when.kind === 'after') return { at: `in ${spoken(when.ms)}` }
  if (when.kind === 'interval') return when.cron === undefined ? 'uneven' : { cron: when.cron }
  const { day, time = { hour: 9, minute: 0 } } = when
  if (day.kind === 'in' && day.days === 0 && when.time === undefined) return undefined
  if (day.kind === 'every') return { cron: `${time.minute} ${time.hour} * * ${day.weekdays}` }
  // Its own words are "ISO: 2026-11-21T12:00:00+01:00".
  const now = resultOf(situation, 'now')
  if (now === undefined) return 'now'
  const [, today = '', clock = ''] = now.match(/(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/) ?? []
  const wanted = `${twoDigits(time.hour)}:${twoDigits(time.minute)}`
  const date = nextDate(day, wanted, { today, time: clock })
  return date === undefined ? undefined : { at: `${date}T${wanted}` }
}

const askBack =
  'When? I understand “in 10 seconds”, “in half an hour”, “at 17:30”, “tomorrow at 9”, “on Friday at 10”, “on 24 December at 9”, “every day at 9:00” and “every monday at 8:30”.'

const evenOnly =
  'I can’t repeat that: it would start over with each hour or day. “Every 30 minutes” and “every 6 hours” work, and so does anything else that divides an hour or a day.'

export const remind: Intent = {
  name: 'remind',
  example: 'remind me in 10 seconds to stretch',
  matches: (text) => asks.test(text),
  next(situation) {
    const reminder = reminderIn(situation.text)
    const time = reminder && timeFor(reminder.when, situation)
    if (reminder === undefined || time === undefined) return { text: askBack }
    if (time === 'uneven') return { text: evenOnly }
    if (time === 'now') return { text: '', calls: [{ name: 'now', input: {} }] }
    const { message } = reminder
    const call = { name: 'alarm_set', input: { ...time, message } }
    return callOnce(situation, call, (result) => `I’ll remind you: “${message}”. ${result}`)
  },
}
