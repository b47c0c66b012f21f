import { Failure } from '../failure.ts'
import { justPassedMs, nextRun, parseWhen } from './time.ts'
import { localTime } from './zone.ts'

/** The most alarms that wait in one thread. */
export const mostAlarms = 100

interface Here {
  now: number
  timeZone: string
}

/** When a one-off alarm goes off. `mayBePast`: accepts every time. Throws `bad_time`. */
export function onceAt(at: string, { now, timeZone, mayBePast = false }: Here & { mayBePast?: boolean }): number {
  const dueAt = parseWhen(at, { now, timeZone })
  if (dueAt > now - justPassedMs || mayBePast) return dueAt
  throw new Failure('bad_time', `"${at}" has passed: it is ${localTime(now, timeZone)}.`, 'Give a time in the future.')
}

/**
 * A turn costs money, and an alarm that repeats faster than `gapMs` would never let the session rest. Throws
 * `bad_cron`.
 */
export function firstRun(cron: string, { now, timeZone, gapMs }: Here & { gapMs: number }): number {
  const first = nextRun(cron, { after: now, timeZone })
  const second = nextRun(cron, { after: first, timeZone })
  if (second - first >= gapMs) return first
  throw new Failure(
    'bad_cron',
    `"${cron}" repeats every ${lengthOf(second - first)}, which is too often.`,
    `An alarm can repeat every ${lengthOf(gapMs)} at most.`,
  )
}

function lengthOf(ms: number): string {
  const [size, unit] = ms >= 60_000 ? [60_000, 'minute'] : [1_000, 'second']
  const count = Math.round(ms / size)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
