import { Cron, CronDate } from 'croner'

/**
 * A wall time is what a clock on the wall shows, held as the milliseconds that `Date.UTC` gives for its figures; an
 * instant is real milliseconds since 1970.
 */
export const dayMs = 86_400_000

/** What the wall clock of the zone shows at an instant, to the second. */
export function wallOf(instant: number, timeZone: string): number {
  const { year, month, day, hour, minute, second } = new CronDate(new Date(instant), timeZone)
  return Date.UTC(year, month, day, hour, minute, second)
}

/** How far the zone's clock is ahead of UTC at an instant, in ms. */
const offsetAt = (instant: number, timeZone: string): number =>
  wallOf(instant, timeZone) - Math.floor(instant / 1000) * 1000

/**
 * When the wall clock shows this time. If it comes twice in autumn, the first of them that comes after `after`. If
 * spring skips it, the moment of the jump, so that order is kept and nothing is lost.
 */
export function instantOf(wall: number, timezone: string, after = Number.NEGATIVE_INFINITY): number {
  const first = firstInstantOf(wall, timezone)
  if (first > after) return first
  // As much later as the clock was put back.
  const second = first + offsetAt(first, timezone) - offsetAt(first + dayMs, timezone)
  return second > first && wallOf(second, timezone) === wall ? second : first
}

function firstInstantOf(wall: number, timezone: string): number {
  const at = new Date(wall)
  const date = `${at.getUTCDate()} ${at.getUTCMonth() + 1} * ${at.getUTCFullYear()}`
  const once = new Cron(`${at.getUTCSeconds()} ${at.getUTCMinutes()} ${at.getUTCHours()} ${date}`, { timezone })
  const found = once.nextRun(new Date(wall - 2 * dayMs))
  // If a whole day is skipped, as in Samoa in 2011, the start of the next one.
  return found?.getTime() ?? firstInstantOf((Math.floor(wall / dayMs) + 1) * dayMs, timezone)
}

/** `2026-03-29T01:30:00+01:00`. */
export function localIso(instant: number, timeZone: string): string {
  const minutes = Math.round(offsetAt(instant, timeZone) / 60_000)
  const pad = (figure: number) => String(figure).padStart(2, '0')
  const size = Math.abs(minutes)
  const offset = `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`
  return `${new Date(wallOf(instant, timeZone)).toISOString().slice(0, 19)}${offset}`
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** `Sunday 2026-03-29 01:30:00 (Europe/Berlin, UTC+01:00)`, or `(UTC)`, for people and the model. */
export function localTime(instant: number, timeZone: string): string {
  const iso = localIso(instant, timeZone)
  const weekday = weekdays[new Date(wallOf(instant, timeZone)).getUTCDay()]
  return `${weekday} ${iso.slice(0, 10)} ${iso.slice(11, 19)} (${timeZone === 'UTC' ? timeZone : `${timeZone}, UTC${iso.slice(19)}`})`
}

export function isZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}

/** UTC in place of a zone that this Node doesn't know: platforms may name others, and so may an older database. */
export const knownZone = (timeZone: string): string => (isZone(timeZone) ? timeZone : 'UTC')

/** The midnight at the end of tomorrow, on the zone's wall clock. */
export function endOfTomorrow(instant: number, zone: string): number {
  const timeZone = knownZone(zone)
  const today = Math.floor(wallOf(instant, timeZone) / dayMs) * dayMs
  return instantOf(today + 2 * dayMs, timeZone)
}

/** Of a setting: `machine`, or a zone's name. Node knows none if TZ is set to something that isn't the name of one. */
export function zoneOf(setting: string): string {
  const ofMachine: string | undefined = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return knownZone(setting === 'machine' ? (ofMachine ?? 'UTC') : setting)
}
