import type { Given } from '../../../domain/question.ts'
import type { InboundSink } from '../../inbound-sink.ts'
import { replyTo } from '../../words/card-words.ts'
import { nameOf } from '../cards/elements.ts'
import { asPerson } from '../directory/people.ts'
import type { SlackWorkspace } from '../directory/workspace.ts'

export type AnswerReply = NonNullable<ReturnType<typeof replyTo>>

/** Gives an answer to whoever waits for it. Resolves, once it is stored, with the reply to the person who gave it. */
export async function giveAnswer(
  { me, people }: SlackWorkspace,
  sink: InboundSink,
  request: string,
  given: Given,
  who: { user: string; team?: string | undefined; channel: string },
): Promise<AnswerReply | undefined> {
  const person = asPerson(await people.person(who.user, who.team))
  const actor = { person, tenant: me.team, project: who.channel }
  return replyTo(await sink.answer(request, given, actor), nameOf)
}
