import { sql } from 'kysely'
import type { RequestId } from '../domain/ids.ts'
import type { Question } from '../domain/question.ts'
import type { DecidedBy, Request } from '../domain/request.ts'
import { worksBeside } from './lock.ts'
import type { NextAt } from './next-at.ts'
import type { Store, Tx } from './store.ts'

export const nextDeadline: NextAt = sql`select min(deadline_at) from requests where state = 'pending'`

/** If it is still pending. Undefined: it has none any more. */
export async function setDeadline(tx: Tx, id: RequestId, deadlineAt: number | undefined): Promise<void> {
  await tx.db
    .updateTable('requests')
    .set({ deadline_at: deadlineAt ?? null })
    .where('id', '=', id)
    .where('state', '=', sql.lit('pending'))
    .execute()
}

/** When it moves next, unless it has moved or ended meanwhile. Undefined: never. */
export async function setNextMove(tx: Tx, { id, reminded }: Request, at: number | undefined): Promise<void> {
  await tx.db
    .updateTable('requests')
    .set({ remind_at: at ?? null })
    .where('id', '=', id)
    .where('state', '=', sql.lit('pending'))
    .where('reminded', '=', reminded)
    .execute()
}

/** Its time begins anew, unless it has moved or ended meanwhile. */
export async function setTimes(
  tx: Tx,
  { id, reminded }: Request,
  {
    deadlineAt,
    remindAt,
    decided,
    payload,
  }: { deadlineAt: number | undefined; remindAt: number | undefined; decided?: DecidedBy; payload?: Question },
): Promise<void> {
  await tx.db
    .updateTable('requests')
    .set({
      deadline_at: deadlineAt ?? null,
      remind_at: remindAt ?? null,
      ...(decided && { decided: JSON.stringify(decided) }),
      ...(payload && { payload: JSON.stringify(payload) }),
    })
    .where('id', '=', id)
    .where('state', '=', sql.lit('pending'))
    .where('reminded', '=', reminded)
    .execute()
}

/** After a start, a pause or an outage, people have at least this long to answer a question, ms. */
const leastMs = 60_000

/** How long a process that pauses again gives no more time, if another one works beside it, ms. */
const againMs = 600_000

/**
 * Call the result after each pause of this process: nobody could answer, so no question ends too soon after that.
 * Others may have paused as well, and then seem to have worked meanwhile. But one that pauses again and again would
 * keep all questions from ending, unless its pauses are so long that others end them. `now`: a clock that is never set.
 */
export function leavingTime(
  store: Pick<Store, 'transaction'>,
  holder: string,
  silentMs: number,
  now: () => number = () => performance.now(),
): (forMs: number) => Promise<void> {
  let leftAt = Number.NEGATIVE_INFINITY
  return async (forMs) => {
    const isAgain = forMs < leastMs && now() - leftAt < againMs
    const isLeft = await store.transaction(async (tx) => {
      if (isAgain && (await worksBeside(tx, holder, { silentMs, forMs: leastMs }))) return false
      await leaveTime(tx)
      return true
    })
    if (isLeft) leftAt = now()
  }
}

/**
 * After a start the same, unless another process ran meanwhile: one that ends at each start would keep all questions
 * from ending. One that has only just begun doesn't count, since it may have been down as well.
 */
export async function leaveTimeIfAlone(store: Store, holder: string, silentMs: number): Promise<void> {
  await store.transaction(async (tx) => {
    if (!(await worksBeside(tx, holder, { silentMs, forMs: leastMs }))) await leaveTime(tx)
  })
}

async function leaveTime({ db, now }: Tx): Promise<void> {
  await db
    .updateTable('requests')
    .set({ deadline_at: now + leastMs })
    .where('state', '=', sql.lit('pending'))
    .where('kind', '!=', 'approval')
    .where('deadline_at', '<', now + leastMs)
    .execute()
}
