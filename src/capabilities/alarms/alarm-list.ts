import { z } from 'zod'
import type { Alarm } from '../../domain/session.ts'
import { defineTool } from '../../domain/tool.ts'
import { localTime } from '../../kit/calendar/zone.ts'
import type { AlarmsContext } from './context.ts'
import { alarmsWords } from './words.ts'

export const alarmList = defineTool({
  kind: 'run',
  name: 'alarm_list',
  onDemand: true,
  onlyInThreads: true,
  description: 'Lists pending alarms.',
  input: z.strictObject({}),
  doing: () => alarmsWords.listingAlarms(),
  effect: 'read',
  repeatable: true,
  run: async (_input, { alarms }: AlarmsContext) => {
    const pending = (await alarms.list()).toSorted((a, b) => a.dueAt - b.dueAt)
    return pending.map(described).join('\n') || 'There are no alarms.'
  },
})

const described = ({ id, dueAt, timeZone, cron, message }: Alarm): string =>
  `${id}  ${localTime(dueAt, timeZone)}${cron === undefined ? '' : `, repeats by "${cron}"`}: ${message}`
