import type { ChatPlatform } from '../chat/platform.ts'
import type { Heard, WorkspaceFile } from '../domain/chat.ts'
import { reasonOf } from '../domain/errors.ts'
import { appendEvents } from '../store/events.ts'
import { expectFile } from '../store/files.ts'
import { dedupKeyAt, findByDedupKey, insertInbox } from '../store/inbox.ts'
import { markEarlierRead, type Session } from '../store/sessions.ts'
import type { Lease, Store, Tx } from '../store/store.ts'
import type { Turn } from '../store/turns.ts'
import { reservePaths } from './reserve-paths.ts'

export interface EarlierDeps {
  store: Store
  lease: Lease
  session: Session
  turn: Turn
  platform: ChatPlatform | undefined
  /** Of the thread's latest messages; 0 reads none. */
  importMessages: number
}

/**
 * At the first mention in a thread that has messages already, they are put before it in the inbox: held, so that they are
 * read along and wake nobody. What cannot be read is said, and not tried again.
 */
export async function importEarlier({ store, lease, session, turn, platform, importMessages }: EarlierDeps) {
  if (session.earlier !== 'wanted' || platform === undefined) return
  const before = await dedupKeyAt(store.db, session.id, turn.inboxSeq)
  let found: Heard[] = []
  let failure: string | undefined
  try {
    if (importMessages > 0) found = await platform.history(session.thread, before, importMessages)
  } catch (thrown) {
    failure = reasonOf(thrown)
  }
  await store.fenced(lease, async (tx) => {
    await markEarlierRead(tx, session.id)
    if (failure !== undefined) {
      const message = `What was said in this thread before could not be read: ${failure}`
      await appendEvents(tx, session.id, [
        { type: 'warning', data: { turn_id: turn.id, code: 'not_imported', message } },
      ])
    }
    const data = { turn_id: turn.id, messages: found.length }
    const eventId = await appendEvents(tx, session.id, [{ type: 'imported', data }])
    for (const heard of found) await hold(tx, session, heard, eventId)
  })
}

async function hold(tx: Tx, session: Session, heard: Heard, eventId: number): Promise<void> {
  const { dedupKey, person, text, author } = heard
  if ((await findByDedupKey(tx.db, dedupKey)) !== undefined) return
  const files: WorkspaceFile[] = author === 'self' ? [] : await reservePaths(tx, session, heard.files, new Set())
  const payload = { person, text, files, earlier: author }
  const seq = await insertInbox(tx, session.id, { dedupKey, kind: 'message', payload, eventId, state: 'held' })
  for (const [index, file] of files.entries()) {
    const remote = heard.files[index]
    if (remote !== undefined) await expectFile(tx, session.id, seq, file, remote)
  }
}
