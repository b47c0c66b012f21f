import { handedTo, handTo } from '../../store/agents.ts'
import { openTurn } from '../../store/turns.ts'
import { type Command, oneOf } from '../../turn/port/command.ts'
import type { Services } from '../../turn/port/scope.ts'
import { atWork, nobody } from './routed.ts'
import { type AgentsSettings, agentsOn, inTenant } from './settings.ts'
import { agentsOf } from './stack.ts'
import { agentsWords } from './words.ts'

/** `agents`, `agents off`. */
export const agentsCommand = (_: Services, everywhere: AgentsSettings): Command => ({
  name: 'agents',
  summary: agentsWords.commandSummary(),
  argument: oneOf('off'),
  about: 'channel',
  async run({ argument, session, project }) {
    const settings = inTenant(everywhere, project)
    const on = session === undefined ? [] : agentsOf(session, settings)
    if (argument === '') return listed(settings, session && on.map(({ name }) => name))
    if (session === undefined) return agentsWords.threadNeeded()
    return {
      async act(tx) {
        const handed = (await handedTo(tx, session.id)) ?? nobody
        const agent = handed.stack.at(-1)
        const { route, waiting: _, ...to } = handed
        // What has been stopped goes on without agents.
        const isAtWork = route !== undefined && (await openTurn(tx.db, session.id)) !== undefined
        const left = { ...(agent === undefined ? to : nobody), ...(isAtWork && atWork(handed, { isOff: true })) }
        await handTo(tx, session.id, { ...left, isOff: true })
        return agent === undefined ? agentsWords.staysWithMe() : agentsWords.offAgain({ agent })
      },
    }
  },
})

function listed(settings: AgentsSettings, stack: readonly string[] | undefined): string {
  const shown = agentsOn(settings).filter(({ name, isHidden }) => !isHidden || stack?.includes(name))
  if (shown.length === 0) return agentsWords.noAgents()
  const has = stack?.at(-1)
  return [
    agentsWords.agentsTitle(),
    ...shown.map(
      ({ name, description }) => `- \`@${name}\` – ${description}${name === has ? ' (has this thread)' : ''}`,
    ),
    ...(stack === undefined ? [] : [whoHas(stack)]),
  ].join('\n')
}

function whoHas(stack: readonly string[]): string {
  const agent = stack.at(-1)
  if (agent === undefined) return agentsWords.noAgentHere()
  if (stack.length === 1) return agentsWords.handedTo({ agent })
  return agentsWords.handedOnTo({ agent, stack: stack.slice(0, -1).join(', then ') })
}
