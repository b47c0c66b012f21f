import type { JobKind } from '../../jobs/kind.ts'
import { listFiles } from '../../store/files.ts'
import { startJob } from '../../store/jobs.ts'
import { findSession } from '../../store/sessions.ts'
import type { Tx } from '../../store/store.ts'
import { openTurn, type StoredTurn } from '../../store/turns.ts'
import type { Services } from '../port/scope.ts'
import { postFiles } from './end-turn.ts'
import { findOutputs } from './outputs.ts'

type Unfinished = Pick<StoredTurn, 'id' | 'session'>

export const postingOutputs = 'post outputs'

/** What a stop has interrupted may still be writing, ms. */
const calmMs = 1_000

/** What a turn that ended without an answer left in outputs/ is posted, also what one before it had left. */
export async function startPosting(tx: Tx, { id, session }: Unfinished): Promise<void> {
  await startJob(tx, { kind: postingOutputs, key: id, owner: session, input: { id, session }, dueAt: tx.now + calmMs })
}

export const unfinishedOutputs = ({ store, workspaces, report }: Services): JobKind<Unfinished> => ({
  name: postingOutputs,
  async run({ input: turn, signal, save }) {
    const session = await findSession(store.db, turn.session)
    const workspace = session && workspaces.late(session)
    if (session === undefined || !workspace?.isThere()) return
    const looking = { workspace, session, signal, report: report('files could not be posted', { session: session.id }) }
    const outputs = await findOutputs(looking, store.db)
    if (outputs.length === 0) return
    await save('posted', async (tx) => {
      await tx.hold(session.id)
      // A turn that has begun meanwhile posts them with its own.
      if ((await openTurn(tx.db, session.id)) !== undefined) return
      // It may have ended too, or another process was quicker.
      const posted = new Map((await listFiles(tx.db, session.id)).map(({ path, hash }) => [path, hash]))
      const left = outputs.filter(({ path, hash }) => posted.get(path) !== hash)
      if (left.length > 0) await postFiles(tx, turn, left)
    })
  },
})
