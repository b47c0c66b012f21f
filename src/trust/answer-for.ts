import type { Person } from '../domain/chat.ts'
import type { ApprovalAnswer, QuestionAnswer } from '../domain/question.ts'
import type { Request } from '../domain/request.ts'
import { insertInbox } from '../store/inbox.ts'
import type { Tx } from '../store/store.ts'
import { answerKey, takeAnswer } from './answer.ts'

/**
 * Gives a request an answer that nobody gave to it itself. False when it had one already. The caller wakes its session.
 */
export async function answerFor(
  tx: Tx,
  request: Request,
  given: ApprovalAnswer | QuestionAnswer,
  person: Person | undefined,
): Promise<boolean> {
  await tx.hold(request.session)
  const taken = await takeAnswer(tx, request, given, person)
  if (taken === undefined) return false
  const row = { dedupKey: answerKey(request.id), eventId: taken.eventId, payload: { person, request: request.id } }
  await insertInbox(tx, request.session, { ...row, kind: 'answer' })
  return true
}
