import type { RequestBody, ScriptedReply } from '../support/model-server.ts'

/** A reply, or what makes it of the task. */
type ChildReply = ScriptedReply | ((task: string, body: RequestBody) => ScriptedReply)

const isChild = ({ messages: [system] }: RequestBody): boolean => `${system?.content}`.includes('You are a subagent.')

export const taskIn = ({ messages }: RequestBody): string =>
  `${messages.find(({ role }) => role === 'user')?.content}`.replace('[The program] This is your task:\n\n', '')

/** How many replies a model has given in this conversation. */
const repliesIn = ({ messages }: RequestBody): number => messages.filter(({ role }) => role === 'assistant').length

/** Long enough not to be asked for once more. */
export const long = (text: string): string => `${text} ${'All of it was looked at, line by line. '.repeat(6)}`.trim()

/** A model that is two: what a thread's turn replies, step by step, and what each subagent replies. */
export const family =
  (parent: ScriptedReply[], child: ChildReply[]) =>
  (body: RequestBody): ScriptedReply | undefined => {
    const reply = (isChild(body) ? child : parent)[repliesIn(body)]
    return typeof reply === 'function' ? reply(taskIn(body), body) : reply
  }

export const requestsOf = (requests: readonly RequestBody[], who: 'parent' | 'child'): RequestBody[] =>
  requests.filter((body) => isChild(body) === (who === 'child'))

/** The texts of the results a request carries. */
export const resultsIn = (body: RequestBody | undefined): string[] =>
  (body?.messages ?? []).flatMap(({ role, content }) => (role === 'tool' ? [`${content}`] : []))
