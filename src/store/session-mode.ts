import type { SessionId } from '../domain/ids.ts'
import type { Session } from './session-rows.ts'
import type { Tx } from './store.ts'

export async function setMode(tx: Tx, session: SessionId, mode: Session['mode']): Promise<void> {
  await tx.db
    .updateTable('sessions')
    .set({ mode: mode === 'plan' ? mode : null })
    .where('id', '=', session)
    .execute()
}
