import type { Tool } from '../../domain/tool.ts'
import { fitsName } from '../../kit/patterns/name.ts'
import type { HandedTo, Session } from '../../store/session-rows.ts'
import type { StoredTurn } from '../../store/turns.ts'
import type { Narrowing } from '../../turn/port/narrowing.ts'
import { agentOfTransfer, isHandOver, transferBack } from './names.ts'
import { delegateTool, isRouted } from './routed.ts'
import { type Agent, type AgentsSettings, agentNamed, mayHandOver } from './settings.ts'
import { agentsWords } from './words.ts'

/** More agents in a row would only pass a thread around. */
const deepest = 5

/** The agents that have the thread, the one that works last. What is no longer configured doesn't count. */
export const agentsOf = ({ agents }: Pick<Session, 'agents'>, settings: AgentsSettings): Agent[] =>
  (agents?.stack ?? []).flatMap((name) => agentNamed(settings, name) ?? [])

/**
 * What the agents of a thread leave of it. An agent has only what all those have who handed it the thread, so that
 * nobody gets a tool back by a hand-over.
 */
export function narrowingOf(session: Session, turn: StoredTurn, settings: AgentsSettings): Narrowing | undefined {
  const { agents: handed } = session
  const all = agentsOf(session, settings)
  const top = all.at(-1)
  // It is about to be ended: without an agent it had, it would have more.
  if (session.parent !== undefined && all.length < (handed?.stack.length ?? 0)) return { has: () => false }
  if (top === undefined) {
    if (handed === undefined && !mayHandOver(settings)) return undefined
    const isOffered = (tool: string) =>
      mayHandOver(settings) && tool !== transferBack && whyNot(tool, handed, settings) === undefined
    return { has: (tool) => !isHandOver(tool.name) || isOffered(tool.name) }
  }
  const begun = handed?.turn === turn.id ? handed.step : 0
  return {
    has: (tool) =>
      isHandOver(tool.name)
        ? whyNot(tool.name, handed, settings) === undefined
        : (tool.name === delegateTool && isRouted(session, turn.id)) || all.every((agent) => hasTool(agent, tool)),
    stricter: all.map(({ rules }) => rules),
    steps: begun + top.steps,
    sampling: top.sampling,
    ...(top.slot !== undefined && { slot: top.slot }),
  }
}

/** Asking people and ending the turn or plan mode are never taken away. */
function hasTool({ tools, skills, servers }: Agent, tool: Tool): boolean {
  if (tool.kind === 'ask' || tool.kind === 'end' || tool.stays) return true
  if (tool.server !== undefined && servers !== undefined) return servers.includes(tool.server)
  if (tool.skillOf !== undefined && skills !== undefined) return skills.length > 0
  return tools === undefined || tools.some((one) => fitsName(one, tool.name))
}

/** Whether it has the tool `skill`. */
export const mayLoadSkills = ({ tools, skills }: Agent): boolean =>
  skills === undefined ? tools === undefined || tools.some((one) => fitsName(one, 'skill')) : skills.length > 0

/** Why a hand-over can't be made now; undefined if it can. */
export function whyNot(tool: string, handed: HandedTo | undefined, settings: AgentsSettings): string | undefined {
  const stack = handed?.stack ?? []
  if (tool === transferBack) {
    if (stack.length === 0) return 'No agent is handling this thread.'
    return handed?.chosen && stack.length === 1
      ? `A person gave this thread to ${stack[0]}, so only people can take it back.`
      : undefined
  }
  const to = agentNamed(settings, agentOfTransfer(tool))
  if (to === undefined) return 'There is no such agent.'
  if (stack.length === 0 && handed?.isOff) return agentsWords.onlyByPeople()
  if (stack.includes(to.name)) return `${to.name} handed this thread on already: use ${transferBack}.`
  if (stack.length >= deepest) return `${deepest} agents have this thread already: use ${transferBack}.`
  const top = agentNamed(settings, stack.at(-1))
  const may = top?.transfersTo === undefined ? !to.isHidden : top.transfersTo.includes(to.name)
  return may ? undefined : `${top?.name ?? 'Bobbin'} may not hand a thread to ${to.name}.`
}
