import { childEnd, childrenWithAgents, tellParent } from '../../store/children.ts'
import type { Session } from '../../store/session-rows.ts'
import { openTurn } from '../../store/turns.ts'
import type { Services } from '../../turn/port/scope.ts'
import { endChild } from '../../turn/state/close-open.ts'
import { followChanges } from './changes.ts'
import { agentNamed, inTenant, settingsFor } from './settings.ts'
import { agentsWords } from './words.ts'

/** Does here what was changed of agents, by this process or another. */
export async function takeUpChanges(bot: Services): Promise<void> {
  await followChanges(bot)
  await endGone(bot).catch(bot.report('subagents whose agent is gone could not be ended'))
}

/**
 * Ends subagents whose agent was switched off or is no longer in the file. Their parents are told, as of any other end:
 * it's theirs to decide what becomes of the task.
 */
async function endGone({ config, store }: Services): Promise<void> {
  for (const child of await childrenWithAgents(store.db)) {
    const settings = inTenant(settingsFor(config), child.thread)
    const gone = child.agents?.stack.find((name) => agentNamed(settings, name) === undefined)
    if (gone !== undefined) await endOne(child, gone, store)
  }
}

const endOne = ({ id, parent }: Session, agent: string, store: Services['store']): Promise<void> =>
  store.transaction(async (tx) => {
    if (parent === undefined || (await childEnd(tx.db, parent.call)) !== undefined) return
    await tx.hold(id)
    const steps = (await openTurn(tx.db, id))?.steps ?? 0
    await endChild(tx, parent.call, agentsWords.itsAgentIsOff())
    await tellParent(tx, parent, { state: 'stopped', text: agentsWords.agentIsOff({ name: agent }), steps })
  })
