import type { ToolContext } from '../../domain/tool.ts'
import type { Todos } from './session-todos.ts'

/** What the tools for todos may use. */
export interface TodosContext extends ToolContext {
  todos: Todos
}
