import { newId, type SessionId, type TurnId } from '../../domain/ids.ts'
import { handedTo, handTo } from '../../store/agents.ts'
import { endedCalls } from '../../store/calls.ts'
import type { Tx } from '../../store/store.ts'
import { findTurn } from '../../store/turns.ts'
import { turnsContinued } from '../../store/turns-behind.ts'
import { nobody } from './routed.ts'

/**
 * Whoever works on a request goes on when its turn is continued: agents that have no result yet are asked again, and
 * all of them if the request is to be answered anew. Those that were switched off meanwhile don't go on.
 */
export async function continueRoute(
  tx: Tx,
  session: SessionId,
  { turn, continues }: { turn: TurnId; continues: TurnId },
): Promise<void> {
  const { route: kept, waiting: behind = [], ...handed } = (await handedTo(tx, session)) ?? nobody
  if (kept === undefined) return
  if (!(await turnsContinued(tx.db, { session, turn: continues })).includes(kept.turn)) return
  const earlier = await findTurn(tx.db, kept.turn)
  const isAnswered = earlier?.state === 'done'
  const { isUnknown, ...known } = kept
  // Whether its meaning says who it is for is asked again, unless that is known or the bot has begun.
  if (kept.how === 'none' && kept.calls.length === 0 && (isAnswered || (isUnknown && earlier?.steps === 0))) return
  const outcomes = isAnswered ? new Map() : await endedCalls(tx.db, kept.calls)
  const calls = kept.calls.map((id) => (outcomes.get(id)?.state === 'done' ? id : newId('call', tx.now)))
  const requests = [{ ...known, calls }, ...behind].filter(({ isOff }) => !isOff)
  const [route, ...waiting] = requests.map((one) => ({ ...one, turn }))
  await handTo(tx, session, {
    ...handed,
    ...(route && { route: { calls: [], ...route } }),
    ...(waiting.length > 0 && { waiting }),
  })
}
