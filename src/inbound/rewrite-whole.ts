import { createHash } from 'node:crypto'
import type { SessionId } from '../domain/ids.ts'
import { deletedText } from '../domain/messages.ts'
import type { JobKind } from '../jobs/kind.ts'
import { Failure } from '../kit/failure.ts'
import { findFile, settleUpload } from '../store/files.ts'
import { findByDedupKey } from '../store/inbox.ts'
import { deleted, type InboxPayload } from '../store/inbox-event.ts'
import { startJob } from '../store/jobs.ts'
import { findSession } from '../store/sessions.ts'
import type { Db, Store, Tx } from '../store/store.ts'
import type { Workspaces } from '../workspace/workspaces.ts'

interface Order {
  session: SessionId
  dedupKey: string
  path: string
}

const rewriting = 'rewrite upload'

/** A message that was too long was changed: the file with its whole text changes, too. `event` reported the change. */
export async function startRewriting(tx: Tx, order: Order, event: number): Promise<void> {
  const { session, dedupKey, path } = order
  const key = `${session} ${event}`
  await startJob(tx, { kind: rewriting, key, owner: session, input: { session, dedupKey, path } })
}

/** The file then says what its message says. One that somebody else has changed since is theirs. */
export const rewriteKind = (deps: { store: Store; workspaces: Workspaces }): JobKind<Order> => ({
  name: rewriting,
  atOnce: 1,
  async run({ input: order, save }) {
    const { store, workspaces } = deps
    const { session: id, path } = order
    const session = await findSession(store.db, id)
    const file = await findFile(store.db, id, path)
    if (session === undefined || session.isDeleted || file?.state !== 'stored') return
    const text = await textOf(store.db, order)
    const workspace = workspaces.late(session)
    if (!workspace.isThere()) return
    const hash = await workspace.exclusively(path, async () => {
      const now = await hashNow(() => workspace.read(path))
      // A process that is gone may just have written it.
      if (now !== file.hash && now !== hashOf(text)) return undefined
      await workspace.write(path, text)
      return hashOf(text)
    })
    if (hash === undefined) return
    const size = Buffer.byteLength(text)
    await save('written', (tx) => settleUpload(tx, id, path, { state: 'stored', size, hash }))
  },
})

const hashOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex')

async function hashNow(read: () => Promise<Buffer>): Promise<string | undefined> {
  try {
    return hashOf(await read())
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'not_found') return undefined
    throw thrown
  }
}

async function textOf(db: Db, { dedupKey, path }: Order): Promise<string> {
  // The column holds what insertInbox was given.
  const payload = (await findByDedupKey(db, dedupKey))?.payload as InboxPayload['message'] | undefined
  const isItsFile = payload?.whole === path && payload.latest !== deleted
  return (isItsFile && payload.text) || deletedText
}
