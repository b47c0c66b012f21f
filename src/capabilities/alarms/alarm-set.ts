import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import { firstRun, mostAlarms, onceAt } from '../../kit/calendar/alarm-times.ts'
import { justPassedMs } from '../../kit/calendar/time.ts'
import { localTime } from '../../kit/calendar/zone.ts'
import { Failure } from '../../kit/failure.ts'
import { again } from './again.ts'
import type { AlarmsContext } from './context.ts'
import { alarmsWords } from './words.ts'

const input = z
  .strictObject({
    at: z.string().min(1).optional().describe('"2026-03-01T09:00" in the asker’s time zone, or "in 2 hours"'),
    cron: z.string().min(1).optional().describe('Such as "0 9 * * mon-fri", in the asker’s time zone'),
    message: z.string().trim().min(1).max(4000).describe('What to do then'),
  })
  .refine(({ at, cron }) => (at === undefined) !== (cron === undefined), 'Give exactly one of at and cron.')

export const alarmSet = defineTool({
  kind: 'run',
  name: 'alarm_set',
  onlyInThreads: true,
  description: 'Wakes you here, once (at) or repeatedly (cron), to remind somebody or check again.',
  input,
  doing: ({ at, cron = '' }) => alarmsWords.settingAlarm({ time: at ?? again(cron) }),
  effect: 'write',
  repeatable: true,
  run: async ({ at, cron, message }, context: AlarmsContext) => {
    const { alarms, now, timeZone, limits } = context
    const { own: id } = alarms
    const repeats = cron === undefined ? '' : `, then again by "${cron}"`
    const setFor = (time: number) => `Alarm ${id} is set for ${localTime(time, timeZone)}${repeats}.`
    const pending = await alarms.list()
    // An earlier attempt has set it.
    const earlier = pending.find((alarm) => alarm.id === id)
    if (earlier !== undefined) return setFor(earlier.dueAt)
    const dueAt =
      cron === undefined ? timeOf(at ?? '', context) : firstRun(cron, { now, timeZone, gapMs: limits.alarmGapMs })
    if (pending.length >= mostAlarms) {
      const fact = `This thread has ${mostAlarms} alarms.`
      throw new Failure('too_many_alarms', fact, 'Cancel some with alarm_cancel first.')
    }
    await alarms.set({ message, dueAt, timeZone, ...(cron !== undefined && { cron }) })
    return setFor(dueAt)
  },
})

function timeOf(at: string, { now, timeZone, attempt, byAlarm, limits }: AlarmsContext): number {
  // An earlier attempt may have set it before its time came.
  const dueAt = onceAt(at, { now, timeZone, mayBePast: attempt > 1 })
  // An alarm that sets the next one amounts to a repeating alarm.
  if (byAlarm && dueAt > now - justPassedMs && dueAt < now + limits.alarmGapMs) {
    const fact = `"${at}" is too soon in a turn that an alarm began.`
    throw new Failure('bad_time', fact, `Set it at least ${limits.alarmGapMs / 1000} s from now.`)
  }
  return dueAt
}
