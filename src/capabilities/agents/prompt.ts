import type { Session } from '../../store/session-rows.ts'
import type { PromptSection } from '../../turn/port/capability.ts'
import { isRouted } from './routed.ts'
import { type Agent, type AgentsSettings, agentNamed, agentsOn } from './settings.ts'
import { mayLoadSkills } from './stack.ts'

const back = 'People get Bobbin itself back by saying `agents off`.'

/**
 * The agent that works now, as a section of the prompt. Its tools are the ones that the model is offered. `stack`: the
 * agents whose limits hold for it, itself among them.
 */
export function sectionOf(
  { name, description, prompt, skills = [] }: Agent,
  stack: readonly Agent[],
  { parent }: Pick<Session, 'parent'>,
): PromptSection {
  const inThread = parent === undefined
  const lines = [
    `You work as the agent ${name} now: ${description}`,
    prompt,
    ...(!stack.every(mayLoadSkills)
      ? ['You can’t load skills.']
      : skills.length === 0
        ? []
        : [`You can load only these skills: ${skills.join(', ')}.`]),
    ...(stack.some(isLimited)
      ? [
          `You have fewer tools than the thread. If the ${inThread ? 'work' : 'task'} needs another one, ${inThread ? 'hand over if you can, or ' : ''}say what is missing.`,
        ]
      : []),
    ...(inThread ? [back] : []),
  ]
  return { name: 'Agent', text: lines.join('\n') }
}

const isLimited = ({ tools, skills, servers }: Agent): boolean =>
  (tools ?? servers) !== undefined || skills?.length === 0

/** The agents that can be given a task. */
export function catalogue(settings: AgentsSettings): PromptSection[] {
  const shown = agentsOn(settings).filter(({ isHidden }) => !isHidden)
  if (shown.length === 0) return []
  const lines = shown.map(({ name, description }) => `- ${name}: ${description}`)
  return [{ name: 'Agents for delegate_task', text: lines.join('\n') }]
}

/** What the model is told of a request that others work on. */
export function remindersOf(session: Session, turn: string, settings: AgentsSettings): string[] {
  const { route } = session.agents ?? {}
  if (route === undefined || !isRouted(session, turn)) return []
  const names = route.agents.flatMap((name) => agentNamed(settings, name)?.name ?? [])
  if (route.how === 'delegate')
    return [
      `Split the request into parts and give each to one of these agents with delegate_task: ${names.join(', ')}.`,
    ]
  if (names.length < 2)
    return ['The request was given to a subagent. Answer with its result, and say what is missing in it.']
  return route.how === 'chain'
    ? [
        `${names.join(', then ')} worked on the request, each with the result of the one before. Answer with what they found.`,
      ]
    : [
        `${names.join(' and ')} each worked on the request. Join their results into one answer; say where they disagree.`,
      ]
}
