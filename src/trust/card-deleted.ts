import type { ThreadRef } from '../domain/chat.ts'
import type { RequestId } from '../domain/ids.ts'
import { pageKey } from '../domain/keys.ts'
import { postAgain, timesPostedAgain } from '../store/post-again.ts'
import { findPosting, forgetPosted, keysInChannel } from '../store/postings.ts'
import { findRequest } from '../store/requests.ts'
import type { Tx } from '../store/store.ts'
import { cardKey, requestOnPage } from './cards.ts'

/** A program that deletes every message would keep a card coming for ever, so it rests this long, ms. */
const restAfterDeletionMs = 10 * 60_000

/** A request whose card was shown again this often and is gone no longer waits for it. */
const mostTimes = 5

/** If the deleted message is the card of a request that waits, it is shown again. */
export async function cardDeleted(tx: Tx, { thread, message }: { thread: ThreadRef; message: string }): Promise<void> {
  for (const page of await keysInChannel(tx.db, thread, message)) {
    const request = requestOnPage(page)
    if (request !== undefined) await showAgain(tx, request, message, restAfterDeletionMs)
  }
}

/**
 * At a deadline, shows a card again that is known to be gone, unless it rests until the next one. `lost`: it has come
 * so often that nobody is going to see it.
 */
export async function showGoneAgain(tx: Tx, id: RequestId): Promise<'there' | 'gone' | 'lost'> {
  const posting = await findPosting(tx.db, pageKey(cardKey(id), 0))
  // A card on the console was never posted.
  if (posting === undefined || posting.id !== undefined) return 'there'
  if ((await timesPostedAgain(tx, cardKey(id))) >= mostTimes) return 'lost'
  await postAgain(tx, cardKey(id), restAfterDeletionMs)
  return 'gone'
}

/**
 * Shows a card again whose message is gone, if its request waits and no other message has taken its place. Until then,
 * nothing said in the thread is an answer to it.
 */
export async function showAgain(tx: Tx, id: RequestId, message: string | undefined, restMs = 0): Promise<void> {
  const found = await findRequest(tx.db, id)
  if (found === undefined) return
  await tx.hold(found.session)
  const page = pageKey(cardKey(id), 0)
  if ((await findPosting(tx.db, page))?.id !== message) return
  if ((await findRequest(tx.db, id))?.state !== 'pending') return
  await forgetPosted(tx, page)
  await postAgain(tx, cardKey(id), restMs)
}
