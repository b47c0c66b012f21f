import { newId, type SessionId, type TurnId } from '../../domain/ids.ts'
import { handedTo, handTo } from '../../store/agents.ts'
import { endedCalls } from '../../store/calls.ts'
import type { Tx } from '../../store/store.ts'
import { findTurn } from '../../store/turns.ts'
import { turnsContinued } from '../../store/turns-behind.ts'

/**
 * Whoever works on a request goes on when its turn is continued: agents that have no result yet are asked again, and
 * all of them if the request is to be answered anew.
 */
export async function continueRoute(
  tx: Tx,
  session: SessionId,
  { turn, continues }: { turn: TurnId; continues: TurnId },
): Promise<void> {
  const handed = await handedTo(tx, session)
  const { route, waiting } = handed ?? {}
  if (handed === undefined || route === undefined) return
  // Whether its meaning says who it is for is asked again.
  if (route.how === 'none' && route.calls.length === 0) return
  if (!(await turnsContinued(tx.db, { session, turn: continues })).includes(route.turn)) return
  const isAnswered = (await findTurn(tx.db, route.turn))?.state === 'done'
  const outcomes = isAnswered ? new Map() : await endedCalls(tx.db, route.calls)
  const calls = route.calls.map((id) => (outcomes.get(id)?.state === 'done' ? id : newId('call', tx.now)))
  await handTo(tx, session, {
    ...handed,
    route: { ...route, turn, calls },
    ...(waiting && { waiting: waiting.map((one) => ({ ...one, turn })) }),
  })
}
