import type { RequestBody } from '../support/model-request-check.ts'
import { type ScriptedReply, says } from '../support/model-script.ts'
import { markIn } from './check/rows.ts'

type Messages = RequestBody['messages']
type Call = { name: string; arguments: string }

/** The mark of a part stands for the message's token, which belongs to the message alone. */
const taskOf = (part: string, token: string): string => `See to ${token.replace('tok', `sub-${part}`)}.`

/** What the subagents of a message are given. */
export const tasksFor = (token: string): string[] => ['a', 'b'].map((part) => taskOf(part, token))

/** The plan for a message, as an argument of `make_plan`. People are asked about four steps, not about three. */
export function planFor(token: string, isAsked: boolean): object {
  const step = (part: string, after: number[]) => ({ what: taskOf(part, token), gives: 'what became of it', after })
  const steps = [step('c', []), step('d', []), step('e', [1, 2]), ...(isAsked ? [step('f', [])] : [])]
  return { title: `What ${token} takes`, confidence: 95, steps }
}

/** Agents, each of which does one part of what is routed to it. */
const agentsOf = { team: ['g', 'h'], chain: ['i', 'j'] } as const

/** The agents and routes of the configuration. */
export const routing = {
  routes: Object.fromEntries(
    Object.entries(agentsOf).map(([how, parts]) => [
      how,
      { words: [how], how: how === 'team' ? 'parallel' : how, agents: parts.map((part) => `part-${part}`) },
    ]),
  ),
  agents: Object.fromEntries(
    Object.values(agentsOf)
      .flat()
      .map((part) => [`part-${part}`, { description: `Does part ${part}.`, prompt: `Your part is ${part}.` }]),
  ),
}

/** The mark of what a call gives to a subagent. */
export function markOfTask(text: string): string {
  const { agent } = JSON.parse(text) as { agent?: string }
  return agent === undefined ? markIn(text) : markIn(text).replace('tok', `sub-${agent.at(-1)}`)
}

export const isChild = ([system]: Messages): boolean => `${system?.content}`.includes('You are a subagent.')

/** A reply of a subagent: it tells the world, some ask first and write a file, and it reports. */
export function childReply(messages: Messages): ScriptedReply {
  const task = messages.find(({ role }) => role === 'user')?.content
  const [, own] = /Your part is ([g-j])\./.exec(`${messages[0]?.content}`) ?? []
  const mark = markIn(`${task}`)
  const token = own === undefined ? mark : mark.replace('tok', `sub-${own}`)
  const part = token.split('-')[1] ?? ''
  const call = (name: string, input: object): Call => ({ name, arguments: JSON.stringify(input) })
  const asks = ['b', 'd', 'h', 'j'].includes(part)
  const rounds: Call[][] = asks
    ? [
        [call('write_file', { path: `outputs/${token}.txt`, content: `made for ${token}` })],
        [call('notify_asked', { token })],
      ]
    : [[call('notify', { token })], [call('notify_again', { token })]]
  const made = messages.reduce((sum, message) => sum + (message.role === 'assistant' ? 1 : 0), 0)
  const calls = rounds[made]
  return calls === undefined
    ? says(`did ${token} ${'and looked at all there was to see '.repeat(6)}`)
    : { text: 'Working on it.', calls }
}
