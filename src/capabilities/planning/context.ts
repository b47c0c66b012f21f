import type { ToolContext } from '../../domain/tool.ts'
import type { Session } from '../../store/sessions.ts'

export interface PlanningContext extends ToolContext {
  planning: {
    setMode(mode: Session['mode']): Promise<void>
  }
}
