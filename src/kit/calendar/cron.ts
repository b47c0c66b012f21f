import { parse } from 'node-cron'
import { Failure, reasonOf } from '../failure.ts'
import { dayMs } from './zone.ts'

/** A cron expression, taken apart. Day tokens are numbers, or `L`, `L-3`, `15W`, `LW` and `5L`, `5#2`. */
export interface Cron {
  expression: string
  seconds: number[]
  minutes: number[]
  hours: number[]
  months: number[]
  monthDays: (number | string)[]
  weekDays: (number | string)[]
  /** Both day fields are restricted: then either is enough, as crontab(5) has it. */
  eitherDay: boolean
}

const ascending = (figures: number[]) => [...figures].sort((a, b) => a - b)

/** Throws `bad_cron`. Five fields, or six with seconds in front, or `@daily` and its like. */
export function parseCron(expression: string): Cron {
  const parsed = fieldsOf(expression)
  const fields = expression.trim().split(/\s+/)
  const [monthDay = '*', , weekDay = '*'] = fields.slice(-3)
  const restricts = (field: string) => fields.length >= 5 && !/^[*?]/.test(field)
  return {
    expression,
    seconds: ascending(parsed.second),
    minutes: ascending(parsed.minute),
    hours: ascending(parsed.hour),
    months: parsed.month,
    monthDays: parsed.dayOfMonth,
    weekDays: parsed.dayOfWeek,
    eitherDay: restricts(monthDay) && restricts(weekDay),
  }
}

function fieldsOf(expression: string) {
  try {
    return parse(expression)
  } catch (thrown) {
    throw new Failure(
      'bad_cron',
      `"${expression.slice(0, 100)}" is no cron expression: ${reasonOf(thrown)}.`,
      'Use five fields: minute hour day-of-month month day-of-week, for example "0 9 * * mon-fri".',
      { cause: thrown },
    )
  }
}

/** 29 February on a given weekday may be 40 years away; nothing is further. */
const horizonDays = 366 * 41

/** The next wall time after `wall` (see zone.ts) that the expression names; undefined when there is none. */
export function nextWall(cron: Cron, wall: number): number | undefined {
  const today = Math.floor(wall / dayMs) * dayMs
  for (let day = today; day <= today + horizonDays * dayMs; day += dayMs) {
    const time = matchesDay(cron, new Date(day)) ? nextTime(cron, wall - day) : undefined
    if (time !== undefined) return day + time
  }
}

function nextTime({ hours, minutes, seconds }: Cron, after: number): number | undefined {
  for (const hour of hours) {
    if ((hour + 1) * 3_600_000 <= after) continue
    for (const minute of minutes) {
      for (const second of seconds) {
        const time = hour * 3_600_000 + minute * 60_000 + second * 1000
        if (time > after) return time
      }
    }
  }
}

function matchesDay(cron: Cron, date: Date): boolean {
  if (!cron.months.includes(date.getUTCMonth() + 1)) return false
  const monthDay = cron.monthDays.some((token) => matchesMonthDay(token, date))
  const weekDay = cron.weekDays.some((token) => matchesWeekDay(token, date))
  return cron.eitherDay ? monthDay || weekDay : monthDay && weekDay
}

const lastOfMonth = (date: Date) => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()

function matchesMonthDay(token: number | string, date: Date): boolean {
  const day = date.getUTCDate()
  const last = lastOfMonth(date)
  if (typeof token === 'number') return token === day
  if (token === 'L') return day === last
  const [, back] = /^L-(\d+)$/.exec(token) ?? []
  if (back) return day === last - Number(back)
  const [, near] = /^(\d+|L)W$/.exec(token) ?? []
  return near !== undefined && day === nearestWorkday(near === 'L' ? last : Number(near), last, date)
}

function nearestWorkday(target: number, last: number, date: Date): number | undefined {
  if (target > last) return undefined
  const weekDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), target)).getUTCDay()
  if (weekDay === 6) return target === 1 ? 3 : target - 1
  if (weekDay === 0) return target === last ? target - 2 : target + 1
  return target
}

function matchesWeekDay(token: number | string, date: Date): boolean {
  if (typeof token === 'number') return token === date.getUTCDay()
  const [, weekDay, rank] = /^([0-7])(L|#[1-5])$/i.exec(token) ?? []
  if (weekDay === undefined || rank === undefined || Number(weekDay) % 7 !== date.getUTCDay()) return false
  const day = date.getUTCDate()
  return rank.startsWith('#') ? Math.ceil(day / 7) === Number(rank.slice(1)) : day + 7 > lastOfMonth(date)
}
