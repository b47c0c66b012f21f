import type { CallId } from '../../domain/ids.ts'
import type { JobKind } from '../../jobs/kind.ts'
import { endedCalls } from '../../store/calls.ts'
import { childEnd, findChild, parentCallOf, tellParent } from '../../store/children.ts'
import { openTurn } from '../../store/turns.ts'
import { waitedIn } from '../../store/waited.ts'
import type { Services } from '../../turn/port/scope.ts'
import { endChild } from '../../turn/state/close-open.ts'
import type { PlansSettings } from './settings.ts'
import { plansWords } from './words.ts'

/** The kind of job that gives up a step which takes too long. It belongs to the step's call and ends with it. */
export const overdue = 'plan_step_overdue'

const lookAgainMs = 60_000

export function overdueJob(bot: Services, { run }: PlansSettings): JobKind<{ call: CallId }> {
  const { store, clock } = bot
  return {
    name: overdue,
    run: ({ input: { call } }) =>
      store.transaction(async (tx) => {
        const now = clock.now()
        const later = { again: now + lookAgainMs }
        const child = await findChild(tx.db, call)
        // It hasn't begun: a person is asked, or the process died on the way. Or it never will.
        if (child === undefined) return (await endedCalls(tx.db, [call])).has(call) ? undefined : later
        const parent = await parentCallOf(tx.db, child.id)
        if (parent === undefined || (await childEnd(tx.db, call)) !== undefined) return undefined
        await tx.hold(child.id)
        const turn = await openTurn(tx.db, child.id)
        // People may take their time, and what they took isn't the step's.
        if (turn === undefined || turn.state === 'waiting') return later
        // Nor is any time before the last restart, pause or outage was over.
        const since = Math.max(turn.startedAt, bot.awakeSince())
        const end = since + run.minutes * 60_000 + (await waitedIn(tx.db, turn, now))
        if (end > now) return { again: end }
        const text = plansWords.tookTooLong({ minutes: run.minutes })
        await endChild(tx, call, 'it took too long')
        await tellParent(tx, parent, { state: 'failed', text, steps: turn.steps, isLate: true })
        return undefined
      }),
  }
}
