import type { CallId, SessionId, TurnId } from '../domain/ids.ts'
import { asks, pendingInbox } from './inbox.ts'
import type { Db } from './store.ts'

/** Whether people have said something that no turn has read yet. */
export const hasUnreadWords = async (db: Db, session: SessionId): Promise<boolean> =>
  (await pendingInbox(db, session)).some((event) => event.kind === 'message' && asks(event))

/**
 * Whether a turn has read something that people said after the model's latest answer, or after a plan's call. What the
 * model looks up or asks people because of it is no answer yet.
 */
export async function hasUnseenWords(
  db: Db,
  { turn, session, call }: { turn: TurnId; session: SessionId; call: CallId },
): Promise<boolean> {
  const said = await db
    .selectFrom('messages')
    .select('seq')
    .where('session_id', '=', session)
    .where('turn_id', '=', turn)
    .where('origin', '=', 'person')
    .where('seq', '>', ({ selectFrom, fn, val }) =>
      selectFrom('messages')
        .select(({ eb }) => fn.coalesce(eb.fn.max('seq'), val(0)).as('seq'))
        .where('session_id', '=', session)
        // The bot's own words that were imported answer no request.
        .where(({ or, and, eb }) =>
          or([and([eb('request_estimate', 'is not', null), eb('calls', 'is', null)]), eb('call_id', '=', call)]),
        ),
    )
    .limit(1)
    .executeTakeFirst()
  return said !== undefined
}
