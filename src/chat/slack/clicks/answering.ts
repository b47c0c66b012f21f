import type { Given } from '../../../domain/question.ts'
import type { Answered, InboundSink } from '../../platform.ts'
import { tooLateWords } from '../cards/outcome.ts'
import type { Workspace } from '../workspace.ts'

/** What somebody is told whose answer was not taken; undefined when it was. */
export function refusalWords(answered: Answered): string | undefined {
  switch (answered.kind) {
    case 'taken':
      return undefined
    case 'too-late':
      return tooLateWords(answered.request)
    case 'not-allowed':
      return answered.reason
    case 'not-found':
      return 'This is not known any more: the conversation was reset or deleted.'
    case 'unfit':
      return 'That answer does not fit the question.'
  }
}

/** Gives an answer to whoever waits for it. Resolves, when it is stored, with what is to be said to who gave it. */
export async function giveAnswer(
  { me, people }: Workspace,
  sink: InboundSink,
  request: string,
  given: Given,
  who: { user: string; channel: string },
): Promise<string | undefined> {
  const { id, name } = await people.person(who.user)
  const actor = { person: { id, name }, tenant: me.team, project: who.channel }
  return refusalWords(await sink.answer(request, given, actor))
}
