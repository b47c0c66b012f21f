import type { SessionId } from '../../domain/ids.ts'
import type { Workspace } from '../../domain/workspace.ts'
import type { JobKind } from '../../jobs/kind.ts'
import type { Documents } from '../../kit/documents/document.ts'
import { startJob } from '../../store/jobs.ts'
import { findSession } from '../../store/sessions.ts'
import type { Store, Tx } from '../../store/store.ts'
import type { Workspaces } from '../../workspace/workspaces.ts'

export interface IndexDeps {
  store: Store
  workspaces: Workspaces
  library: { of(session: SessionId, workspace: Workspace): Documents }
  /** How many at the same time. */
  atOnce: number
  /** An embedding model is set up. */
  hasVectors: boolean
}

const name = 'index'
const vectorsName = 'vectors'

/** Reads and indexes an upload in the background, before anybody asks about it. */
export const indexUpload = (tx: Tx, session: SessionId, path: string) =>
  startJob(tx, { kind: name, key: `${session} ${path}`, owner: session, input: { session, path } })

export const indexKind = (deps: IndexDeps): JobKind<{ session: SessionId; path: string }> => ({
  name,
  atOnce: deps.atOnce,
  async run({ input, signal }) {
    const session = await findSession(deps.store.db, input.session)
    if (session === undefined || session.isDeleted) return
    const workspace = await deps.workspaces.open(session)
    await deps.library.of(session.id, workspace).prepare(input.path, signal)
    const { session: owner, path } = input
    if (deps.hasVectors)
      await deps.store.transaction((tx) =>
        startJob(tx, { kind: vectorsName, key: `${owner} ${path}`, owner, input: { session: owner, path } }),
      )
  },
})

/** One document at a time, and apart from indexing: a model may be slow, and words are found meanwhile. */
export const vectorsKind = (deps: IndexDeps): JobKind<{ session: SessionId; path: string }> => ({
  name: vectorsName,
  atOnce: 1,
  async run({ input, signal }) {
    const session = await findSession(deps.store.db, input.session)
    if (session === undefined || session.isDeleted || !deps.hasVectors) return
    const workspace = await deps.workspaces.open(session)
    await deps.library.of(session.id, workspace).makeVectors?.(input.path, signal)
  },
})
