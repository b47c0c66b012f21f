import { Cron } from 'croner'
import { Failure, reasonOf } from '../failure.ts'
import { dayMs, instantOf, wallOf } from './zone.ts'

/** How far ahead an alarm may be, in ms. */
const horizonMs = 10 * 366 * dayMs

/** A time that passed no longer ago than this meant "now": thinking and asking took a moment. */
export const justPassedMs = 60_000

/**
 * The instant that a text names: ISO with an offset, ISO without one (then by the wall clock of `timeZone`), `in 2
 * hours 5 minutes`, or an ISO duration such as `PT10S`. Adding days and weeks keeps the time on the wall clock. Throws
 * `bad_time`. Whether the instant has passed is for the caller to check.
 */
export function parseWhen(text: string, { now, timeZone }: { now: number; timeZone: string }): number {
  const trimmed = text.trim()
  const duration = parseDuration(trimmed)
  const instant = duration ? later(now, duration, timeZone) : parseMoment(trimmed, now, timeZone)
  if (instant === undefined || instant > now + horizonMs) {
    throw new Failure(
      'bad_time',
      `"${trimmed.slice(0, 100)}" is ${instant === undefined ? 'no time that I can read' : 'more than 10 years away'}.`,
      'Write "2026-03-01T09:00" (your time zone), "2026-03-01T09:00+01:00", "in 2 hours" or "PT10S".',
    )
  }
  return instant
}

/**
 * The first run after `after`, by the wall clock of `timeZone`. Five fields, or six with seconds in front, or `@daily`
 * and the like. When clocks change, an expression with fixed hours and minutes runs once: at the first of two equal
 * times, and at the jump if its time is skipped. One with steps or wildcards in them runs by elapsed time. Throws
 * `bad_cron`, also if it never runs.
 */
export function nextRun(expression: string, { after, timeZone }: { after: number; timeZone: string }): number {
  const next = scheduleOf(expression, timeZone).nextRun(new Date(after))
  if (next !== null) return next.getTime()
  throw new Failure('bad_cron', `"${shortOf(expression)}" never runs.`, 'Check its day and month.')
}

function scheduleOf(expression: string, timezone: string): Cron {
  const fields = expression.trim().split(/\s+/)
  const [monthDay = '*', , weekDay = '*'] = fields.slice(-3)
  const restricts = (field: string) => !/^[*?]/.test(field)
  try {
    if (fields.length === 1 && !expression.trim().startsWith('@')) throw new Error('it has one field')
    return new Cron(fields.join(' '), {
      timezone,
      mode: '5-or-6-parts',
      fixedTimeRule: 'no-wildcard',
      // As in crontab(5): if both are restricted, either is enough.
      domAndDow: !(restricts(monthDay) && restricts(weekDay)),
    })
  } catch (thrown) {
    throw new Failure(
      'bad_cron',
      `"${shortOf(expression)}" isn’t a cron expression: ${reasonOf(thrown)
        .replace(/^CronPattern: /, '')
        .slice(0, 200)}.`,
      'Use five fields: minute hour day-of-month month day-of-week, for example "0 9 * * mon-fri".',
      { cause: thrown },
    )
  }
}

const shortOf = (expression: string): string => expression.slice(0, 100)

interface Duration {
  days: number
  ms: number
}

const units: Record<string, Duration> = {
  s: { days: 0, ms: 1000 },
  m: { days: 0, ms: 60_000 },
  h: { days: 0, ms: 3_600_000 },
  d: { days: 1, ms: 0 },
  w: { days: 7, ms: 0 },
}

// The count starts at its first digit, not at each of them.
const spoken = /((?<!\d)\d+\s*|\ban?\s+)(s|m|h|d|w|secs?|mins?|hrs?|seconds?|minutes?|hours?|days?|weeks?)(?![a-z])/gi
const isoDuration = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i

function parseDuration(text: string): Duration | undefined {
  const [, ...iso] = isoDuration.exec(text) ?? []
  if (iso.some(Boolean)) return sum(iso.map((count, index) => [Number(count ?? 0), 'wdhms'.charAt(index)]))
  if (!/^in\s/i.test(text)) return undefined
  const rest = text.slice(3)
  const parts = [...rest.matchAll(spoken)]
  if (parts.length === 0 || !/^(\s|,|and\b)*$/i.test(rest.replace(spoken, ' '))) return undefined
  return sum(parts.map(([, count = '', unit = '']) => [/^a/i.test(count) ? 1 : Number(count), unit.charAt(0)]))
}

const sum = (parts: [number, string][]): Duration =>
  parts.reduce(
    (total, [count, unit]) => {
      const { days, ms } = units[unit.toLowerCase()] ?? { days: 0, ms: 0 }
      return { days: total.days + count * days, ms: total.ms + count * ms }
    },
    { days: 0, ms: 0 },
  )

function later(now: number, { days, ms }: Duration, timeZone: string): number {
  if (days === 0 || days * dayMs > horizonMs) return now + days * dayMs + ms
  return instantOf(wallOf(now, timeZone) + days * dayMs, timeZone) + (now % 1000) + ms
}

const moment = /^([1-9]\d{3}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(?:\.\d+)?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/i

function parseMoment(text: string, now: number, timeZone: string): number | undefined {
  const [, date, time, seconds = ':00', offset] = moment.exec(text) ?? []
  if (!date || !time) return undefined
  const figures = `${date}T${time}${seconds}`
  const wall = Date.parse(`${figures}Z`)
  // Date.parse turns 30 February into 2 March.
  if (Number.isNaN(wall) || !new Date(wall).toISOString().startsWith(figures)) return undefined
  return offset ? wall - offsetMs(offset) : instantOf(wall, timeZone, now - justPassedMs)
}

function offsetMs(offset: string): number {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(offset) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes)) * 60_000
}
