import { sql } from 'kysely'
import type { SessionId } from '../domain/ids.ts'
import { childUnended } from './children.ts'
import { isGone, mayWork } from './lock.ts'
import type { SessionRow } from './session-rows.ts'
import { type Session, toSession } from './sessions.ts'
import type { Lease, Store } from './store.ts'
import { openTurn, type StoredTurn } from './turns.ts'

/**
 * Takes the sessions whose turns rest while subagents work for them, from processes that are gone. Until one of the
 * turns goes on, somebody has to show what its subagents do.
 */
export async function takeResting(
  store: Store,
  holder: string,
): Promise<{ session: Session; turn: StoredTurn; lease: Lease }[]> {
  const left = await store.db
    .selectFrom('turns')
    .innerJoin('sessions', 'sessions.id', 'turns.session_id')
    .select(['sessions.id', 'sessions.epoch'])
    // A literal, so that SQLite uses the partial index.
    .where('turns.state', '=', sql.lit('waiting'))
    .where(isGone('sessions.holder'))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('sessions as children')
          .select('children.id')
          .whereRef('children.parent', '=', 'sessions.id')
          .whereRef('children.parent_turn', '=', 'turns.id')
          .where(childUnended('children')),
      ),
    )
    .execute()
  const taken = await Promise.all(left.map((one) => take(store, one, holder)))
  return taken.filter((one) => one !== undefined)
}

/** Undefined if somebody else was first. */
const take = (store: Store, { id, epoch }: { id: SessionId; epoch: number }, holder: string) =>
  store.transaction(async (tx) => {
    const [row] = await tx.db
      .updateTable('sessions')
      .set({ epoch: epoch + 1, holder })
      .where('id', '=', id)
      .where('epoch', '=', epoch)
      .where(mayWork(sql.val(holder)))
      .returningAll()
      .execute()
    const turn = row && (await openTurn(tx.db, id))
    return turn && { session: toSession(row as SessionRow), turn, lease: { session: id, epoch: epoch + 1 } }
  })
