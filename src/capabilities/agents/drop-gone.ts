import { handedTo, handTo } from '../../store/agents.ts'
import type { ModelScope } from '../../turn/port/scope.ts'
import { type AgentsSettings, agentNamed } from './settings.ts'

/**
 * Agents that were switched off or are no longer in the file have their threads no longer, nor the requests of these
 * threads that others work on. Subagents would get them from there, and end with them.
 */
export async function dropGone(scope: ModelScope, settings: AgentsSettings): Promise<void> {
  const { bot, session, lease } = scope
  if (lease === undefined || session.parent !== undefined || session.agents === undefined) return
  const isThere = (name: string) => agentNamed(settings, name) !== undefined
  const { stack, route, waiting = [] } = session.agents
  if ([{ stack }, route, ...waiting].every((one) => one?.stack?.every(isThere) !== false)) return
  const without = <Held extends { stack?: string[] }>(held: Held): Held =>
    held.stack === undefined ? held : { ...held, stack: held.stack.filter(isThere) }
  await bot.store.fenced(lease, async (tx) => {
    const before = await handedTo(tx, session.id)
    if (before === undefined) return
    const handed = without(before)
    // Whoever got the thread from an agent wasn't chosen by a person.
    const chosen = before.chosen && handed.stack[0] === before.stack[0]
    const keptRoute = handed.route && { route: without(handed.route) }
    const keptWaiting = handed.waiting && { waiting: handed.waiting.map(without) }
    await handTo(tx, session.id, { ...handed, chosen, ...keptRoute, ...keptWaiting })
  })
  scope.promptChanged?.()
}
