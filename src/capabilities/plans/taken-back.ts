import { isDeepStrictEqual } from 'node:util'
import type { SessionId } from '../../domain/ids.ts'
import type { Plan } from '../../domain/plan.ts'
import { readMessages } from '../../store/messages.ts'
import { openPlan, savePlan } from '../../store/plans.ts'
import { answersIn, findRequestOfCall } from '../../store/requests.ts'
import type { Db, Tx } from '../../store/store.ts'
import { openTurn } from '../../store/turns.ts'
import { editsIn } from './edit.ts'

/**
 * What people added to a plan, and have deleted or edited since, reaches no further step. What they corrected it to
 * does. `message`: the result that holds the changed answer.
 */
export async function dropTakenBack(tx: Tx, session: SessionId, message: number): Promise<void> {
  const turn = await openTurn(tx.db, session)
  const plan = turn && (await openPlan(tx.db, turn.id))
  if (turn === undefined || plan === undefined) return
  const edits = (await answersIn(tx.db, session, turn.id)).flatMap(editsIn)
  const said = edits.flatMap((edit) => (edit?.do === 'add' ? edit : []))
  const changed = editsIn(await answerIn(tx.db, session, message))
  const instead = (place: number | undefined) =>
    changed.flatMap((edit) => (edit?.do === 'add' && edit.step === place ? edit.words : []))
  // Steps may have another number since.
  const isAsSeen = edits.every((edit) => edit === undefined || ['add', 'run'].includes(edit.do))
  const ofSteps = said.flatMap(({ step, words }) => (step === undefined ? [] : words))
  const ofAll = said.flatMap(({ step, words }) => (step === undefined ? words : []))
  const now: Plan = {
    ...plan,
    words: corrected(plan.words, ofAll, instead(undefined)),
    steps: plan.steps.map((step) => ({
      ...step,
      words: corrected(step.words, ofSteps, isAsSeen ? instead(step.number) : []),
    })),
  }
  if (!isDeepStrictEqual(now, plan)) await savePlan(tx, now)
}

/** What the answer that a message holds says now. */
async function answerIn(db: Db, session: SessionId, message: number): Promise<string> {
  const [result] = await readMessages(db, session, { from: message, to: message })
  if (result?.role !== 'tool') return ''
  const request = await findRequestOfCall(db, result.call, ['decision', 'question'])
  return request?.kind === 'approval' ? '' : (request?.answer?.text ?? '')
}

/** What is still said; if something is gone, with what the answer says in its place. */
function corrected(words: string[], said: readonly string[], instead: readonly string[]): string[] {
  const still = words.filter((one) => said.includes(one))
  return still.length === words.length ? words : [...still, ...instead.filter((one) => !still.includes(one))]
}
