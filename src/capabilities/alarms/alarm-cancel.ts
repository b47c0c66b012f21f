import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import { Failure } from '../../kit/failure.ts'
import type { AlarmsContext } from './context.ts'
import { alarmsWords } from './words.ts'

export const alarmCancel = defineTool({
  kind: 'run',
  name: 'alarm_cancel',
  onDemand: true,
  onlyInThreads: true,
  description: 'Cancels an alarm of this thread.',
  input: z.strictObject({ alarm_id: z.string().min(1).describe('Its id, as alarm_set or alarm_list gave it.') }),
  doing: () => alarmsWords.cancellingAlarm(),
  effect: 'write',
  repeatable: true,
  run: async ({ alarm_id }, { alarms, attempt }: AlarmsContext) => {
    // A second attempt after a crash finds what the first one did.
    if ((await alarms.cancel(alarm_id)) || attempt > 1) return `Alarm ${alarm_id} is cancelled.`
    throw new Failure('not_found', `There is no alarm ${alarm_id.slice(0, 100)}.`, 'alarm_list shows them.')
  },
})
