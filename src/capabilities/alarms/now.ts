import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import { localIso, localTime } from '../../kit/calendar/zone.ts'
import { alarmsWords } from './words.ts'

export const now = defineTool({
  kind: 'run',
  name: 'now',
  description: 'Returns the current time in the asker’s time zone and in UTC.',
  input: z.strictObject({}),
  doing: () => alarmsWords.lookingAtClock(),
  effect: 'read',
  repeatable: true,
  polls: true,
  run: async (_input, { now: instant, timeZone }) =>
    [
      localTime(instant, timeZone),
      `ISO: ${localIso(instant, timeZone)}`,
      `UTC: ${new Date(instant).toISOString().slice(0, 19)}Z`,
    ].join('\n'),
})
