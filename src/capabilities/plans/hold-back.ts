import type { CallId } from '../../domain/ids.ts'
import { withStep } from '../../domain/plan.ts'
import { openPlan, savePlan } from '../../store/plans.ts'
import { hasUnreadWords } from '../../store/unseen.ts'
import type { TurnScope } from '../../turn/port/scope.ts'
import { uncalled } from './advance.ts'

/**
 * What people say while a plan runs is read by the model before another step begins. Returns whether a step is held
 * back for that: it is called again later.
 */
export async function holdBack(
  number: number,
  call: CallId,
  { bot: { store }, lease, row }: TurnScope,
): Promise<boolean> {
  if (!(await hasUnreadWords(store.db, row.session))) return false
  return store.fenced(lease, async (tx) => {
    const plan = await openPlan(tx.db, row.id)
    const step = plan?.steps.find((one) => one.number === number)
    if (plan === undefined || step?.call !== call || step.isFinal || step.status !== 'planning') return false
    await savePlan(tx, withStep(plan, uncalled(step)))
    return true
  })
}
