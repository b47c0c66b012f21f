import type { SessionId } from '../domain/ids.ts'
import type { Tx } from './store.ts'

/** Takes `count` numbers of a session's counter and returns the first: a session's rows are numbered without gaps. */
export async function takeNumbers(
  tx: Tx,
  session: SessionId,
  counter: 'next_event' | 'next_message' | 'next_inbox' | 'next_outbox',
  count = 1,
): Promise<number> {
  const taken = await tx.db
    .updateTable('sessions')
    .set((eb) => ({ [counter]: eb(counter, '+', count), updated_at: tx.now }))
    .where('id', '=', session)
    .returning(counter)
    .executeTakeFirstOrThrow()
  return taken[counter] - count
}
