import { expressionBuilder } from 'kysely'
import type { CallId, SessionId, TurnId } from '../domain/ids.ts'
import { asks, pendingInbox, readInTurn } from './inbox.ts'
import { isUnnamed } from './inbox-event.ts'
import type { Tables } from './schema.ts'
import type { Db } from './store.ts'

/** Whether people have said something that no turn has read yet. */
export const hasUnreadWords = async (db: Db, session: SessionId): Promise<boolean> =>
  (await pendingInbox(db, session)).some((event) => event.kind === 'message' && asks(event))

/** What people say in a turn, beside what it was asked to plan. */
interface Meanwhile {
  turn: TurnId
  session: SessionId
  /** The call that made the plan. */
  call: CallId
}

/** The latest message of the history that the model has answered, or the plan's call. */
const answered = ({ session, call }: Meanwhile) =>
  expressionBuilder<Tables, never>()
    .selectFrom('messages')
    .select(({ fn, val }) => fn.coalesce(fn.max('seq'), val(0)).as('seq'))
    .where('session_id', '=', session)
    // The bot's own words that were imported answer no request.
    .where(({ or, and, eb }) =>
      or([and([eb('request_estimate', 'is not', null), eb('calls', 'is', null)]), eb('call_id', '=', call)]),
    )

/**
 * Whether a turn has read something that people said after the model's latest answer, or after its plan was made. What
 * the model looks up or asks people because of it is no answer yet.
 */
export async function hasUnseenWords(db: Db, meanwhile: Meanwhile): Promise<boolean> {
  const said = await db
    .selectFrom('messages')
    .select('seq')
    .where('session_id', '=', meanwhile.session)
    .where('turn_id', '=', meanwhile.turn)
    .where('origin', '=', 'person')
    .where('seq', '>', answered(meanwhile))
    .limit(1)
    .executeTakeFirst()
  return said !== undefined
}

/** Whether people have said something since then, but without mentioning the bot. */
export async function areTalking(db: Db, meanwhile: Meanwhile): Promise<boolean> {
  // Whatever the model has seen by then was read before this, and nothing else was.
  const { at } = await db
    .selectFrom('messages')
    .select(({ fn, val }) => fn.coalesce(fn.max('created_at'), val(0)).as('at'))
    .where('session_id', '=', meanwhile.session)
    .where('role', '=', 'user')
    .where('origin', '<>', 'seen')
    .where('seq', '<', answered(meanwhile))
    .executeTakeFirstOrThrow()
  const said = (await readInTurn(db, meanwhile)).filter((event) => event.at > Number(at) && asks(event))
  return said.length > 0 && said.every(isUnnamed)
}
