/**
 * Local time without a library. A wall time is what a clock on the wall shows, held as the milliseconds that
 * `Date.UTC` gives for its figures; an instant is real milliseconds since 1970.
 */
const formatters = new Map<string, Intl.DateTimeFormat>()

export const dayMs = 86_400_000

function formatterFor(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formatters.set(timeZone, made)
  return made
}

/** What the wall clock of the zone shows at an instant, to the second. */
export function wallOf(instant: number, timeZone: string): number {
  const figures: Record<string, number> = {}
  for (const { type, value } of formatterFor(timeZone).formatToParts(instant)) figures[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = figures
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** Milliseconds that the zone's clock is ahead of UTC at an instant. */
export const offsetAt = (instant: number, timeZone: string): number =>
  wallOf(instant, timeZone) - Math.floor(instant / 1000) * 1000

/** The first instant after `low` at which the offset is no longer what it is at `low`; it must differ at `high`. */
export function changeBetween(low: number, high: number, timeZone: string): number {
  const offset = offsetAt(low, timeZone)
  let before = low
  let after = high
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (offsetAt(middle, timeZone) === offset) before = middle
    else after = middle
  }
  return after
}

/**
 * When the wall clock shows this. A time that comes twice in autumn is its first; one that spring leaves out is
 * the moment at which the clock jumped over it, so that order is kept and nothing is lost.
 */
export function instantOf(wall: number, timeZone: string): number {
  const before = offsetAt(wall - dayMs, timeZone)
  const after = offsetAt(wall + dayMs, timeZone)
  for (const offset of [before, after]) {
    if (offsetAt(wall - offset, timeZone) === offset) return wall - offset
  }
  return changeBetween(wall - after, wall - before, timeZone)
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

/** `Sunday 2026-03-29 01:30:00 (Europe/Berlin, UTC+01:00)`, for people and the model. */
export function localTime(instant: number, timeZone: string): string {
  const iso = localIso(instant, timeZone)
  const weekday = weekdays[new Date(wallOf(instant, timeZone)).getUTCDay()]
  return `${weekday} ${iso.slice(0, 10)} ${iso.slice(11, 19)} (${timeZone}, UTC${iso.slice(19)})`
}

/** The midnight that ends tomorrow, on the wall clock of the zone. */
export function endOfTomorrow(instant: number, timeZone: string): number {
  const today = Math.floor(wallOf(instant, timeZone) / dayMs) * dayMs
  return instantOf(today + 2 * dayMs, timeZone)
}
