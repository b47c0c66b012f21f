import type { Person, ThreadRef } from '../domain/chat.ts'
import type { SessionId } from '../domain/ids.ts'
import { dropNote, writeNote } from './notes.ts'
import type { Tx } from './store.ts'

/** The note that holds the slot a person chose last. */
export const choiceOf = ({ platform, tenant }: Pick<ThreadRef, 'platform' | 'tenant'>, { id }: Person): string =>
  `model:${JSON.stringify([platform, tenant, id])}`

/** For this thread only. Without a slot, the model is again chosen by what is asked. */
export async function chooseModelHere(tx: Tx, session: SessionId, slot: string | undefined): Promise<void> {
  await tx.db
    .updateTable('sessions')
    .set({ model: slot ?? null })
    .where('id', '=', session)
    .execute()
}

/** The same for this thread and for the next ones this person starts. */
export async function chooseModel(
  tx: Tx,
  { id, thread }: { id: SessionId; thread: ThreadRef },
  person: Person,
  slot: string | undefined,
): Promise<void> {
  await chooseModelHere(tx, id, slot)
  const choice = choiceOf(thread, person)
  await (slot === undefined ? dropNote(tx, choice) : writeNote(tx, choice, slot))
}
