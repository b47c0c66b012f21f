import type { ThreadRef } from '../domain/chat.ts'
import { forgetPosted, keysInChannel } from '../store/postings.ts'
import { findRequest } from '../store/requests.ts'
import type { Tx } from '../store/store.ts'
import { requestOnPage, showAgain } from './cards.ts'

/**
 * If the deleted message is the card of a request that waits, it is shown again. Until then, nothing said in the thread
 * is an answer to it.
 */
export async function cardDeleted(tx: Tx, { thread, message }: { thread: ThreadRef; message: string }): Promise<void> {
  for (const page of await keysInChannel(tx.db, thread, message)) {
    const id = requestOnPage(page)
    const found = id === undefined ? undefined : await findRequest(tx.db, id)
    if (found === undefined) continue
    await tx.hold(found.session)
    const request = await findRequest(tx.db, found.id)
    if (request?.state !== 'pending') continue
    await forgetPosted(tx, page, message)
    await showAgain(tx, request)
  }
}
