import type { ToolContext } from '../../domain/tool.ts'
import type { Alarms } from './session-alarms.ts'

/** What the tools for alarms may use. */
export interface AlarmsContext extends ToolContext {
  alarms: Alarms
  limits: {
    /** The shortest interval of a repeating alarm. */
    alarmGapMs: number
  }
}
