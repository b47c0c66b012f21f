import { eraseSession, sessionsToErase } from '../store/delete-session.ts'
import { findSession } from '../store/sessions.ts'
import type { Store } from '../store/store.ts'
import type { Workspaces } from '../workspace/workspaces.ts'

/** Takes out what deleted sessions hold, once what they had to say is posted: first the files, then the rows. */
export async function eraseDeleted({ store, workspaces }: { store: Store; workspaces: Workspaces }): Promise<void> {
  for (const id of await sessionsToErase(store.db)) {
    const session = await findSession(store.db, id)
    if (session === undefined) continue
    await workspaces.delete(session)
    await store.transaction((tx) => eraseSession(tx, id))
  }
}
