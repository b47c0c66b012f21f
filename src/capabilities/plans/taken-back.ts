import { isDeepStrictEqual } from 'node:util'
import type { SessionId } from '../../domain/ids.ts'
import type { Plan } from '../../domain/plan.ts'
import { openPlan, savePlan } from '../../store/plans.ts'
import { answersIn } from '../../store/requests.ts'
import type { Tx } from '../../store/store.ts'
import { openTurn } from '../../store/turns.ts'

/** What people added to a plan, and have deleted or edited since, reaches no further step. */
export async function dropTakenBack(tx: Tx, session: SessionId): Promise<void> {
  const turn = await openTurn(tx.db, session)
  const plan = turn && (await openPlan(tx.db, turn.id))
  if (turn === undefined || plan === undefined) return
  const answers = await answersIn(tx.db, session, turn.id)
  const isStillSaid = (words: string) => answers.some((answer) => answer.includes(words))
  const steps = plan.steps.map((step) => ({ ...step, words: step.words.filter(isStillSaid) }))
  const now: Plan = { ...plan, words: plan.words.filter(isStillSaid), steps }
  if (!isDeepStrictEqual(now, plan)) await savePlan(tx, now)
}
