import type { JobKind } from '../jobs/kind.ts'
import type { Clock } from '../kit/clock.ts'
import { doAll } from '../kit/do-all.ts'
import { type Erasing, eraseSession, eraseUploads, erasing, isPosting } from '../store/delete-session.ts'
import { expectedFiles } from '../store/files.ts'
import { findSession } from '../store/sessions.ts'
import type { Store } from '../store/store.ts'
import type { Staging } from '../workspace/staging.ts'
import type { Workspaces } from '../workspace/workspaces.ts'

/** How often to check whether the last messages have been posted, ms. */
const lookAgainMs = 10_000
/**
 * What is refused is tried for a week. What can't even be tried, such as on a platform that isn't set up any more,
 * holds nothing up after that, and goes with the rest, ms.
 */
export const longestPostingMs = 8 * 86_400_000

export interface EraseDeps {
  store: Store
  clock: Clock
  workspaces: Workspaces
  staging: Pick<Staging, 'drop'>
}

/**
 * Erases a deleted session once its last messages are posted: first the files, then the rows. A file that can't be
 * removed doesn't keep the rows, except those of expected uploads until each is dropped.
 */
export const eraseKind = ({ store, clock, workspaces, staging }: EraseDeps): JobKind<Erasing> => ({
  name: erasing,
  // People asked for this to be gone, and nothing else would erase it.
  attempts: Number.POSITIVE_INFINITY,
  async run({ input, save }) {
    if (await isPosting(store.db, input.session, clock.now() - longestPostingMs))
      return { again: clock.now() + lookAgainMs }
    const session = await findSession(store.db, input.session)
    if (session === undefined) return
    const uploads = await expectedFiles(store.db, { session: session.id })
    let areDropped = false
    await doAll([
      async () => {
        await doAll(uploads.map((file) => () => staging.drop(file)))
        areDropped = true
      },
      // A subagent's folder is its thread's.
      async () => session.parent === undefined && (await workspaces.delete(session)),
      () =>
        save('messages', async (tx) => {
          await eraseSession(tx, input)
          // Nothing else says where those are that have to be dropped again.
          if (areDropped) await eraseUploads(tx, session.id)
        }),
    ])
  },
})
