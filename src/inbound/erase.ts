import type { SessionId } from '../domain/ids.ts'
import type { JobKind } from '../jobs/kind.ts'
import type { Clock } from '../kit/clock.ts'
import { eraseSession, erasing, isPosting } from '../store/delete-session.ts'
import { findSession } from '../store/sessions.ts'
import type { Store } from '../store/store.ts'
import type { Workspaces } from '../workspace/workspaces.ts'

/** How often it is looked whether a platform takes again what was said last, ms. */
const lookAgainMs = 10_000

export interface EraseDeps {
  store: Store
  clock: Clock
  workspaces: Workspaces
}

/** Takes out what a deleted session holds, once what it had to say is posted: first the files, then the rows. */
export const eraseKind = ({ store, clock, workspaces }: EraseDeps): JobKind<{ session: SessionId }> => ({
  name: erasing,
  // Nobody else would take out what people wanted to be gone.
  attempts: Number.POSITIVE_INFINITY,
  async run({ input, save }) {
    if (await isPosting(store.db, input.session)) return { again: clock.now() + lookAgainMs }
    const session = await findSession(store.db, input.session)
    if (session === undefined) return
    await workspaces.delete(session)
    await save('files', (tx) => eraseSession(tx, session.id))
  },
})
