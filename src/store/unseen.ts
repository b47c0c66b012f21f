import type { CallId, SessionId, TurnId } from '../domain/ids.ts'
import { asks, pendingInbox, readInTurn } from './inbox.ts'
import { isUnnamed } from './inbox-event.ts'
import type { Db } from './store.ts'

/** Whether people have said something that no turn has read yet. */
export const hasUnreadWords = async (db: Db, session: SessionId): Promise<boolean> =>
  (await pendingInbox(db, session)).some((event) => event.kind === 'message' && asks(event))

interface Since {
  session: SessionId
  turn: TurnId
  /** Nothing before the result of this call counts. */
  call: CallId
}

/** How many messages of people a turn has read to which the model hasn't replied yet without calling anything. */
export async function unansweredWords(db: Db, { session, turn, call }: Since): Promise<number> {
  const { count } = await db
    .selectFrom('messages')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('session_id', '=', session)
    .where('turn_id', '=', turn)
    .where('origin', '=', 'person')
    .where('seq', '>', ({ selectFrom, fn, val }) =>
      selectFrom('messages')
        .select(({ eb }) => fn.coalesce(eb.fn.max('seq'), val(0)).as('seq'))
        .where('session_id', '=', session)
        // The answer of a call that ends the turn is stored as a reply of its own.
        .where(({ eb, or, and }) =>
          or([eb('call_id', '=', call), and([eb('role', '=', 'assistant'), eb('calls', 'is', null)])]),
        ),
    )
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Whether the latest messages of people that a turn has read, so many, don't mention the bot. */
export async function areAmongPeople(db: Db, of: Omit<Since, 'call'>, count: number): Promise<boolean> {
  const read = (await readInTurn(db, of)).filter((event) => event.kind === 'message' && asks(event))
  const said = read.toSorted((one, other) => one.seq - other.seq).slice(-count)
  return said.length === count && said.every(isUnnamed)
}
