import type { RequestBody } from '../support/model-request-check.ts'
import { type ScriptedReply, says } from '../support/model-script.ts'

type Messages = RequestBody['messages']
type Call = { name: string; arguments: string }

/** What the subagents of a message are given. The mark stands for its token, which belongs to the message alone. */
export const tasksFor = (token: string): string[] =>
  (['a', 'b'] as const).map((part) => `See to ${token.replace('tok', `sub-${part}`)}.`)

export const isChild = ([system]: Messages): boolean => `${system?.content}`.includes('You are a subagent.')

/** A reply of a subagent: it tells the world, one of the two asks first and writes a file, and it reports. */
export function childReply(messages: Messages): ScriptedReply {
  const task = messages.find(({ role }) => role === 'user')?.content
  const [token = '', part = ''] = /sub-([ab])-\d+-\d+/.exec(`${task}`) ?? []
  const call = (name: string, input: object): Call => ({ name, arguments: JSON.stringify(input) })
  const rounds: Call[][] =
    part === 'a'
      ? [[call('notify', { token })], [call('notify_again', { token })]]
      : [
          [call('write_file', { path: `outputs/${token}.txt`, content: `made for ${token}` })],
          [call('notify_asked', { token })],
        ]
  const made = messages.reduce((sum, message) => sum + (message.role === 'assistant' ? 1 : 0), 0)
  const calls = rounds[made]
  return calls === undefined
    ? says(`did ${token} ${'and looked at all there was to see '.repeat(6)}`)
    : { text: 'Working on it.', calls }
}
