import type { Given } from '../../../domain/question.ts'
import type { Answered, InboundSink } from '../../platform.ts'
import { tooLateWords } from '../cards/outcome.ts'
import type { Workspace } from '../workspace.ts'

/** What somebody is told of their answer. `counted`: it was taken; `refused`: it changed nothing. */
export interface Reply {
  kind: 'counted' | 'refused'
  text: string
}

/** Undefined when there is nothing to say: the card says it. */
export function replyTo(answered: Answered): Reply | undefined {
  switch (answered.kind) {
    case 'taken':
      return undefined
    case 'voted':
      return { kind: 'counted', text: countWords(answered.request) }
    case 'too-late':
      return { kind: 'refused', text: tooLateWords(answered.request) }
    case 'not-allowed':
      return { kind: 'refused', text: answered.reason }
    case 'not-found':
      return { kind: 'refused', text: 'This is not known any more: the conversation was reset or deleted.' }
    case 'unfit':
      return { kind: 'refused', text: 'That answer does not fit the question.' }
  }
}

function countWords(request: Extract<Answered, { kind: 'voted' }>['request']): string {
  const needed = request.kind === 'approval' ? request.decided.needed : 1
  return `Counted: ${request.votes.length} of ${needed}.`
}

/** Gives an answer to whoever waits for it. Resolves, when it is stored, with what is to be said to who gave it. */
export async function giveAnswer(
  { me, people }: Workspace,
  sink: InboundSink,
  request: string,
  given: Given,
  who: { user: string; channel: string },
): Promise<Reply | undefined> {
  const { id, name } = await people.person(who.user)
  const actor = { person: { id, name }, tenant: me.team, project: who.channel }
  return replyTo(await sink.answer(request, given, actor))
}
