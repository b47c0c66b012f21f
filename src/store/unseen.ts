import type { SessionId, TurnId } from '../domain/ids.ts'
import { asks, pendingInbox } from './inbox.ts'
import type { Db } from './store.ts'

/** Whether people have said something that no turn has read yet. */
export const hasUnreadWords = async (db: Db, session: SessionId): Promise<boolean> =>
  (await pendingInbox(db, session)).some((event) => event.kind === 'message' && asks(event))

/** Whether a turn has read something that people said after the model's latest reply. */
export async function hasUnseenWords(db: Db, { id, session }: { id: TurnId; session: SessionId }): Promise<boolean> {
  const said = await db
    .selectFrom('messages')
    .select('seq')
    .where('session_id', '=', session)
    .where('turn_id', '=', id)
    .where('origin', '=', 'person')
    .where('seq', '>', ({ selectFrom, fn, val }) =>
      selectFrom('messages')
        .select(({ eb }) => fn.coalesce(eb.fn.max('seq'), val(0)).as('seq'))
        .where('session_id', '=', session)
        .where('role', '=', 'assistant')
        // Calls that the program makes in the model's place answer no request.
        .where('request_estimate', 'is not', null),
    )
    .limit(1)
    .executeTakeFirst()
  return said !== undefined
}
