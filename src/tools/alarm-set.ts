import { z } from 'zod'
import { BobbinError } from '../domain/errors.ts'
import { nextRun, parseWhen } from '../domain/time.ts'
import { defineTool, type ToolContext } from '../domain/tool.ts'
import { localTime } from '../domain/zone.ts'

const input = z
  .strictObject({
    at: z
      .string()
      .min(1)
      .optional()
      .describe('Once: "2026-03-01T09:00" (the asker\'s time zone), with "+01:00" or "Z", "in 2 hours", or "PT10S".'),
    cron: z
      .string()
      .min(1)
      .optional()
      .describe('Again and again: minute hour day month weekday in the asker\'s time zone, such as "0 9 * * mon-fri".'),
    message: z.string().trim().min(1).max(4000).describe('What you are to do when it goes off. You will read it then.'),
  })
  .refine(({ at, cron }) => (at === undefined) !== (cron === undefined), 'Give exactly one of at and cron.')

/** A time that has passed by no more was meant as "now": thinking and asking took a moment. */
const justPassedMs = 60_000

export const alarmSet = defineTool({
  kind: 'run',
  name: 'alarm_set',
  description:
    'Wakes you in this thread at a time (at) or again and again (cron): give exactly one of the two. ' +
    'Use it to remind somebody, to look at something later, or for regular work. Answers with the id and the time.',
  input,
  effect: 'write',
  repeatable: true,
  run: async ({ at, cron, message }, context) => {
    const { alarms, timeZone } = context
    const dueAt = cron === undefined ? timeOf(at ?? '', context) : firstRun(cron, context)
    if ((await alarms.list()).length >= mostAlarms) {
      const fact = `This thread has ${mostAlarms} alarms.`
      throw new BobbinError('too_many_alarms', fact, 'Cancel some with alarm_cancel first.')
    }
    const id = await alarms.set({ message, dueAt, timeZone, ...(cron !== undefined && { cron }) })
    const repeats = cron === undefined ? '' : `, then again by "${cron}"`
    return `Alarm ${id} is set for ${localTime(dueAt, timeZone)}${repeats}.`
  },
})

/** That wait in one thread. */
const mostAlarms = 100

function timeOf(at: string, { now, timeZone, attempt, byAlarm, limits }: ToolContext): number {
  const dueAt = parseWhen(at, { now, timeZone })
  // An alarm that sets the next is one that repeats.
  if (byAlarm && dueAt > now - justPassedMs && dueAt < now + limits.alarmGapMs) {
    const fact = `"${at}" is too soon in a turn that an alarm began.`
    throw new BobbinError('bad_time', fact, `Set it at least ${limits.alarmGapMs / 1000} s from now.`)
  }
  // A former attempt may have set it before its time came.
  if (dueAt > now - justPassedMs || attempt > 1) return dueAt
  throw new BobbinError('bad_time', `"${at}" has passed: it is ${localTime(now, timeZone)}.`, 'Give a time to come.')
}

/** A turn costs money: an alarm that repeats faster than `alarmGapMs` would never let the session rest. */
function firstRun(cron: string, { now, timeZone, limits }: ToolContext): number {
  const first = nextRun(cron, { after: now, timeZone })
  const second = nextRun(cron, { after: first, timeZone })
  if (second - first >= limits.alarmGapMs) return first
  throw new BobbinError(
    'bad_cron',
    `"${cron}" repeats after ${second - first} ms.`,
    `Every ${limits.alarmGapMs} ms is the most: use five fields.`,
  )
}
