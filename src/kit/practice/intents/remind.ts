import { cronEvery } from '../../calendar/every.ts'
import type { JsonObject } from '../../json.ts'
import { durationIn, quotedIn } from '../names-in-text.ts'
import { callOnce, type Intent, resultOf, type Situation } from '../situation.ts'

const asks = /^(remind\b|set (an?|the) (alarm|timer|reminder)\b|wake me\b|提醒|设(置|个)?(一个)?(闹钟|提醒))|后提醒/i
const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const everyDay = /\b(?:every day|daily)\b|每天/i

/** Hour and minute of "at 9", "at 9:30", "at 5 pm". */
function timeOfDay(text: string): [hour: number, minute: number] {
  const [, hour, minute, half] =
    text.match(/\bat\s+(\d{1,2})(?::(\d{2}))?\s*(am|pm)?/i) ?? text.match(/(\d{1,2})[:点](\d{2})?/) ?? []
  const morning = Number(hour ?? 9) % (half ? 12 : 24)
  return [morning + (half?.toLowerCase() === 'pm' ? 12 : 0), Number(minute ?? 0) % 60]
}

/**
 * The cron expression of "every day at 9:00", "every monday at 8", "every 5 minutes", "every hour"; '' if there is
 * none.
 */
function cronIn(text: string): string | undefined {
  const [hour, minute] = timeOfDay(text)
  if (everyDay.test(text)) return `${minute} ${hour} * * *`
  if (/\bevery (week|work)day\b/i.test(text)) return `${minute} ${hour} * * 1-5`
  const day = days.findIndex((name) => new RegExp(`\\bevery ${name}\\b`, 'i').test(text))
  if (day >= 0) return `${minute} ${hour} * * ${day}`
  const [, count = '1', unit = ''] = text.match(/\bevery\s+(?:(\d+)\s+)?(minute|hour)s?\b/i) ?? []
  return unit === '' ? undefined : (cronEvery(Number(count), /hour/i.test(unit) ? 'hour' : 'minute') ?? '')
}

function messageIn(text: string): string {
  const [quoted] = quotedIn(text)
  if (quoted !== undefined) return quoted
  const withoutTime = text
    .replace(`in ${durationIn(text)?.words.trim()}`, '')
    .replace(/\b(every (week|work)?day|daily|every \w+day|every (\d+ )?\w+)\b/i, '')
    .replace(/\b(tomorrow\s*)?(at \d{1,2}(:\d{2})?\s*(am\b|pm\b)?)|\btomorrow\b/i, '')
  const said =
    withoutTime.match(/\b(?:to|that|about|of)\s+([\s\S]+)$/i)?.[1] ?? withoutTime.match(/提醒我?([\s\S]+)$/)?.[1]
  return said?.trim().replace(/[.。!！]+$/, '') || 'Time’s up!'
}

const wallClock = /\b(?:at\s+\d|tomorrow\b)|\d[:点]/i

/** The next such time of day after `now`, whose own words the tool `now` gave: "ISO: 2026-11-21T12:00:00+01:00". */
function momentIn(text: string, now: string): string {
  const [, today = '', time = ''] = now.match(/(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/) ?? []
  const wanted = timeOfDay(text)
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
  const later = /\btomorrow\b|明天/i.test(text) || wanted <= time
  const day = new Date(Date.parse(`${today}T00:00Z`) + (later ? 86_400_000 : 0))
  return `${day.toISOString().slice(0, 10)}T${wanted}`
}

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

/** The arguments for alarm_set; "ask" if the time of day has to be known first. */
function whenIn(situation: Situation): JsonObject | 'ask' | 'uneven' | undefined {
  const { text } = situation
  const cron = cronIn(text)
  if (cron === '') return 'uneven'
  if (cron !== undefined) return { cron }
  const duration = durationIn(text)
  if (duration !== undefined) return { at: `in ${spoken(duration.ms)}` }
  if (!wallClock.test(text)) return undefined
  const now = resultOf(situation, 'now')
  return now === undefined ? 'ask' : { at: momentIn(text, now) }
}

const askBack =
  'When? I understand “in 10 seconds”, “in half an hour”, “at 17:30”, “tomorrow at 9”, “every day at 9:00” and “every monday at 8:30”.'

const evenOnly =
  'I can’t repeat that: it would start over with each hour or day. “Every 30 minutes” and “every 6 hours” work, and so does anything else that divides an hour or a day.'

export const remind: Intent = {
  name: 'remind',
  example: 'remind me in 10 seconds to stretch',
  matches: (text) => asks.test(text),
  next(situation) {
    const when = whenIn(situation)
    if (when === undefined) return { text: askBack }
    if (when === 'uneven') return { text: evenOnly }
    if (when === 'ask') return { text: '', calls: [{ name: 'now', input: {} }] }
    const message = messageIn(situation.text)
    const call = { name: 'alarm_set', input: { ...when, message } }
    return callOnce(situation, call, (result) => `I’ll remind you: “${message}”. ${result}`)
  },
}
