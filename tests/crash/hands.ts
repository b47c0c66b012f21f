import type { RequestBody } from '../support/model-request-check.ts'
import { type ScriptedReply, says } from '../support/model-script.ts'

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

export const isChild = ([system]: Messages): boolean => `${system?.content}`.includes('You are a subagent.')

/** A reply of a subagent: it tells the world, some ask first and write a file, and it reports. */
export function childReply(messages: Messages): ScriptedReply {
  const task = messages.find(({ role }) => role === 'user')?.content
  const [token = '', part = ''] = /sub-([a-f])-\d+-\d+/.exec(`${task}`) ?? []
  const call = (name: string, input: object): Call => ({ name, arguments: JSON.stringify(input) })
  const asks = part === 'b' || part === 'd'
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
