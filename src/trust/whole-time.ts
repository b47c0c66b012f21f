import type { RequestId } from '../domain/ids.ts'
import type { Request } from '../domain/request.ts'
import { setTimes } from '../store/deadlines.ts'
import { findRequest } from '../store/requests.ts'
import type { Tx } from '../store/store.ts'
import { timedApproval } from './remind.ts'
import type { Rules } from './rules.ts'
import { timedQuestion } from './timed-question.ts'

/** A card that is posted later than this was seen by nobody for a while, ms. */
const lateMs = 10_000

/** Called when a card is about to be posted: the time to answer begins when people can see it. */
export async function giveWholeTime(tx: Tx, id: RequestId, createdAt: number, rules: Rules): Promise<void> {
  if (tx.now - createdAt < lateMs) return
  const request = await findRequest(tx.db, id)
  if (request !== undefined) await beginAnew(tx, request, rules)
}

export async function beginAnew(tx: Tx, request: Request, rules: Rules): Promise<void> {
  if (request.kind !== 'approval') {
    const { deadlineAt, remindAt } = timedQuestion(request, rules, tx.now)
    return setTimes(tx, request, { deadlineAt, remindAt, payload: { ...request.payload, since: tx.now } })
  }
  const { payload, decided } = request
  const { deadlineAt, remindAt } = timedApproval({ payload, decider: decided.decider }, rules, tx.now)
  await setTimes(tx, request, { deadlineAt, remindAt, decided: { ...decided, since: tx.now } })
}
