import { handedTo, handTo } from '../../store/agents.ts'
import type { ModelScope } from '../../turn/port/scope.ts'
import { type AgentsSettings, agentNamed } from './settings.ts'

/**
 * Agents that were switched off or are no longer in the file have their threads no longer. Subagents would get them
 * from their thread, and end with them.
 */
export async function dropGone(scope: ModelScope, settings: AgentsSettings): Promise<void> {
  const { bot, session, lease } = scope
  const isThere = (name: string) => agentNamed(settings, name) !== undefined
  if (lease === undefined || session.parent !== undefined || session.agents?.stack.every(isThere) !== false) return
  await bot.store.fenced(lease, async (tx) => {
    const handed = await handedTo(tx, session.id)
    if (handed === undefined) return
    const stack = handed.stack.filter(isThere)
    // Whoever got the thread from an agent wasn't chosen by a person.
    const chosen = handed.chosen && stack[0] === handed.stack[0]
    await handTo(tx, session.id, { ...handed, stack, chosen })
  })
  scope.promptChanged?.()
}
