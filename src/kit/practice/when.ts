import { cronEvery } from '../calendar/every.ts'
import { lengthOf } from './durations.ts'

type Day =
  | { kind: 'any' }
  | { kind: 'in'; days: number }
  | { kind: 'weekday'; weekday: number; isNext: boolean }
  | { kind: 'date'; month: number; date: number }
  | { kind: 'iso'; date: string }
  /** As cron writes days of the week. */
  | { kind: 'every'; weekdays: string }

/** What a text says about a time. `cron` is undefined for an interval that cron can't repeat. */
export type When =
  | { kind: 'after'; ms: number }
  | { kind: 'interval'; cron: string | undefined }
  | { kind: 'clock'; day: Day; time?: { hour: number; minute: number } }

export interface Reminder {
  when: When
  message: string
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
export const weekdayName = `(?:${weekdays.join('|')})`
export const monthName =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'

const number = '(\\d{1,2})(?:st|nd|rd|th)?'
const days: [RegExp, (groups: string[]) => Day][] = [
  [/^$/, () => ({ kind: 'any' })],
  [/^today$/, () => ({ kind: 'in', days: 0 })],
  [/^tomorrow$/, () => ({ kind: 'in', days: 1 })],
  [/^(?:every\s+day|daily)$/, () => ({ kind: 'every', weekdays: '*' })],
  [/^every\s+(?:week|work)day$/, () => ({ kind: 'every', weekdays: '1-5' })],
  [
    new RegExp(`^every\\s+(${weekdayName}(?:(?:,\\s*|,?\\s+and\\s+)${weekdayName})*)$`),
    ([names = '']) => everyOf(names),
  ],
  [
    new RegExp(`^(?:on\\s+|this\\s+|(next)\\s+)?(${weekdayName})$`),
    ([next, name = '']) => ({ kind: 'weekday', weekday: weekdays.indexOf(name), isNext: next !== undefined }),
  ],
  [
    new RegExp(`^(?:on\\s+)?(?:the\\s+)?${number}(?:\\s+of)?\\s+(${monthName})$`),
    ([date, month = '']) => dateOf(month, date),
  ],
  [new RegExp(`^(?:on\\s+)?(${monthName})\\s+(?:the\\s+)?${number}$`), ([month = '', date]) => dateOf(month, date)],
  [/^(?:on\s+)?(\d{4}-\d\d-\d\d)$/, ([date = '']) => ({ kind: 'iso', date })],
]

const everyOf = (names: string): Day => ({
  kind: 'every',
  weekdays: (names.match(new RegExp(weekdayName, 'g')) ?? []).map((name) => weekdays.indexOf(name)).join(','),
})

const dateOf = (month: string, date: string | undefined): Day => ({
  kind: 'date',
  month: months.indexOf(month.slice(0, 3)) + 1,
  date: Number(date),
})

function dayOf(text: string): Day | undefined {
  for (const [pattern, read] of days) {
    const match = pattern.exec(text)
    if (match !== null) return read(match.slice(1))
  }
  return undefined
}

const clock =
  "(?<at>at\\s+)?(?<hour>\\d{1,2})(?:[:.h](?<minute>\\d{2})|(?<h>h|\\s*o[’']clock))?(?:\\s*(?<half>[ap])\\.?m\\.?)?"
const withClock = [new RegExp(`^(?:(?<day>.+?),?\\s+)?${clock}$`), new RegExp(`^${clock}(?:,?\\s+(?<day>.+))?$`)]

/** "at 9", "9:30", "15h", "5 pm". A mere number is none. */
function timeOf({ at, hour = '', minute, h, half }: Partial<Record<string, string>>) {
  const given = Number(hour)
  const isTime = (at ?? minute ?? h ?? half) !== undefined && given < 24 && Number(minute ?? 0) < 60
  if (!isTime || (half !== undefined && (given < 1 || given > 12))) return undefined
  const morning = half === undefined ? given : given % 12
  return { hour: morning + (half === 'p' ? 12 : 0), minute: Number(minute ?? 0) }
}

/** Whether only the day of it is said. */
export const hasNoTime = (when: When): boolean => when.kind === 'clock' && when.time === undefined

function clockOf(text: string): When | undefined {
  for (const pattern of withClock) {
    const groups = pattern.exec(text)?.groups
    const time = groups && timeOf(groups)
    const day = dayOf(groups?.day ?? '')
    if (time !== undefined && day !== undefined) return { kind: 'clock', day, time }
  }
  const day = dayOf(text)
  return day === undefined || day.kind === 'any' ? undefined : { kind: 'clock', day }
}

/** Undefined if any of it isn't understood. */
export function whenOf(said: string): When | undefined {
  const text = said.trim().toLowerCase()
  const length = /^(?:in|for|after)\s+(.+)$/s.exec(text)?.[1]
  const ms = length === undefined ? undefined : lengthOf(length)
  if (ms !== undefined) return ms > 0 && Number.isSafeInteger(ms) ? { kind: 'after', ms } : undefined
  const [, count = '1', unit] = /^every\s+(?:(\d{1,4})\s+)?(minute|hour)s?$/.exec(text) ?? []
  if (unit !== undefined)
    return { kind: 'interval', cron: cronEvery(Number(count), unit === 'hour' ? 'hour' : 'minute') }
  const plain = text.replace(/^for\s+/, '')
  return clockOf(plain) ?? (plain === text ? undefined : clockOf(`at ${plain}`))
}

const dayMs = 86_400_000
const plus = (today: string, count: number): string =>
  new Date(Date.parse(`${today}T00:00Z`) + count * dayMs).toISOString().slice(0, 10)

/** None on 31 February. */
function ifExists(date: string): string | undefined {
  const ms = Date.parse(`${date}T00:00Z`)
  return !Number.isNaN(ms) && plus(date, 0) === date ? date : undefined
}

/**
 * The date of the next such day, when the clock is `time` on `today`. Undefined if there is none, or if "next" might
 * mean two.
 */
export function nextDate(
  day: Day,
  wanted: string,
  { today, time }: { today: string; time: string },
): string | undefined {
  const isOver = wanted <= time
  if (day.kind === 'any') return plus(today, isOver ? 1 : 0)
  if (day.kind === 'in') return plus(today, day.days)
  if (day.kind === 'iso') return ifExists(day.date)
  if (day.kind === 'date') {
    const rest = `-${String(day.month).padStart(2, '0')}-${String(day.date).padStart(2, '0')}`
    const year = Number(today.slice(0, 4))
    const isPast = `${year}${rest}` < today || (`${year}${rest}` === today && isOver)
    return ifExists(`${year + (isPast ? 1 : 0)}${rest}`)
  }
  if (day.kind === 'every') return undefined
  const weekday = new Date(`${today}T00:00Z`).getUTCDay()
  const ahead = (day.weekday - weekday + 7) % 7
  // Some mean the one of this week, others that of the next.
  if (day.isNext && ahead > 0 && ahead <= (7 - weekday) % 7) return undefined
  return plus(today, ahead === 0 && (day.isNext || isOver) ? 7 : ahead)
}
