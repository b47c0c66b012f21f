import { Failure } from '../../kit/failure.ts'
import type { TurnScope } from '../../turn/port/scope.ts'
import { isRouted } from './routed.ts'
import { type AgentsSettings, agentNamed, agentsOn } from './settings.ts'
import { agentsOf } from './stack.ts'

/** Whether all agents of the thread have a skill, and the one that gets it. Throws `not_allowed`. */
export function mayUse(
  skill: string | undefined,
  { session }: TurnScope,
  settings: AgentsSettings,
  agent?: string,
): void {
  if (skill === undefined) return
  const all = [agentsOf(session, settings), agentNamed(settings, agent) ?? []].flat()
  const without = all.find(({ skills }) => skills !== undefined && !skills.includes(skill))
  if (without === undefined) return
  const fact = `The agent ${without.name} doesn’t use the skill ${skill}.`
  throw new Failure('not_allowed', fact, `It uses: ${without.skills?.join(', ') || 'none'}.`)
}

/** Whether a task can be given to an agent. Throws `no_agent`. */
export function mayGiveTo(agent: string | undefined, { session, row }: TurnScope, settings: AgentsSettings): void {
  if (agent === undefined) return
  const found = agentNamed(settings, agent)
  // People may choose those that aren't listed.
  if (found !== undefined && (!found.isHidden || isRouted(session, row.id))) return
  const names = agentsOn(settings).flatMap(({ name, isHidden }) => (isHidden ? [] : [name]))
  throw new Failure('no_agent', `There is no agent called ${agent}.`, `There are: ${names.join(', ') || 'none'}.`)
}
