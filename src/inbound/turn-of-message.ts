import type { TurnId } from '../domain/ids.ts'
import { messageKey, messageOfPage, turnOfReply } from '../domain/keys.ts'
import { findByDedupKey } from '../store/inbox.ts'
import { turnOfEntry } from '../store/outbox.ts'
import { keyOfMessage } from '../store/postings.ts'
import type { Session } from '../store/sessions.ts'
import type { Db } from '../store/store.ts'

/** The turn that a message on the platform was said in, or to; undefined if nobody knows. */
export async function turnOfMessage(db: Db, session: Session, message: string): Promise<TurnId | undefined> {
  const page = await keyOfMessage(db, session.id, message)
  if (page === undefined) return (await findByDedupKey(db, messageKey(session.thread, message)))?.turn ?? undefined
  const key = messageOfPage(page)
  return turnOfReply(key) ?? turnOfEntry(db, key)
}
