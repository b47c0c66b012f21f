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
  const gap = shortestGap(cron, { first, timeZone, gapMs })
  if (gap >= gapMs) return first
  throw new Failure(
    'bad_cron',
    `"${cron}" repeats every ${lengthOf(gap)}, which is too often.`,
    `An alarm can repeat every ${lengthOf(gapMs)} at most.`,
  )
}

/** Its first run may be the last one of a busy hour, so the gaps after several are measured. */
const mostRuns = 20

function shortestGap(cron: string, { first, timeZone, gapMs }: { first: number; timeZone: string; gapMs: number }) {
  let shortest = Number.POSITIVE_INFINITY
  for (let at = first, runs = 1; runs < mostRuns && shortest >= gapMs; runs++) {
    const next = nextRun(cron, { after: at, timeZone })
    shortest = Math.min(shortest, next - at)
    at = next
  }
  return shortest
}

function lengthOf(ms: number): string {
  const [size, unit] = ms >= 60_000 ? [60_000, 'minute'] : [1_000, 'second']
  const count = Math.round(ms / size)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
