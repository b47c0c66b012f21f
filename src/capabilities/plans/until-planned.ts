import { Failure } from '../../kit/failure.ts'
import { firstDenied } from '../../store/calls.ts'
import { appendEvents, findEventByKey } from '../../store/events.ts'
import { failureText } from '../../turn/port/failure-text.ts'
import type { TurnScope } from '../../turn/port/scope.ts'
import type { PlansSettings } from './settings.ts'
import { plansWords } from './words.ts'

const refusal = new Failure(
  'plan_first',
  'This request takes many steps, and there is no plan yet.',
  'Call make_plan first.',
)

/**
 * Refuses a call that needs a plan first, but not for ever: some models never make one. The time is counted from the
 * stored refusal, so a restart doesn't begin it anew. Throws `plan_first`.
 */
export async function untilPlanned({ bot, row, lease }: TurnScope, { planWithin }: PlansSettings): Promise<void> {
  const { store, clock } = bot
  const since = await firstDenied(store.db, row, failureText(refusal))
  if (since === undefined || clock.now() - since < planWithin * 1_000) throw refusal
  const key = `no_plan:${row.id}`
  if ((await findEventByKey(store.db, key)) !== undefined) return
  const data = { turn_id: row.id, code: 'no_plan', message: plansWords.goesOnWithout({ seconds: planWithin }) }
  await store.fenced(lease, async (tx) => {
    // Calls of one reply are looked at side by side.
    if ((await findEventByKey(tx.db, key)) === undefined)
      await appendEvents(tx, lease.session, [{ type: 'warning', data }], key)
  })
}
