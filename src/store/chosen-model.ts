import type { Person, ThreadRef } from '../domain/chat.ts'
import type { SessionId } from '../domain/ids.ts'
import { readNote, writeNote } from './notes.ts'
import type { Db, Tx } from './store.ts'

const choiceOf = ({ platform, tenant }: Pick<ThreadRef, 'platform' | 'tenant'>, { id }: Person): string =>
  `model:${JSON.stringify([platform, tenant, id])}`

/** The slot that a person chose last. */
export const chosenModel = (db: Db, thread: ThreadRef, person: Person): Promise<string | undefined> =>
  readNote(db, choiceOf(thread, person))

/** For the thread, and for the next ones that this person begins. */
export async function chooseModel(
  tx: Tx,
  { id, thread }: { id: SessionId; thread: ThreadRef },
  person: Person,
  slot: string,
): Promise<void> {
  await tx.db.updateTable('sessions').set({ model: slot }).where('id', '=', id).execute()
  await writeNote(tx, choiceOf(thread, person), slot)
}
