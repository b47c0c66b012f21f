import { newId, type RequestId } from '../domain/ids.ts'
import { pageKey } from '../domain/keys.ts'
import type { Request } from '../domain/request.ts'
import { insertOutbox, outboxState } from '../store/outbox.ts'
import { findPosting } from '../store/postings.ts'
import type { Db, Tx } from '../store/store.ts'

/** The key of a request's card in the outbox. */
export const cardKey = (request: RequestId): string => `card_${request}`

/** The request whose card this page shows, if it is one. */
export const requestOnPage = (page: string): RequestId | undefined =>
  /^card_([^.]+)\.0$/.exec(page)?.[1] as RequestId | undefined

/** The key of the outbox entry that says how it was decided. */
export const outcomeKey = (request: RequestId): string => `outcome_${request}`

export async function showCard(tx: Tx, { id, session, turn }: Request): Promise<void> {
  const payload = { request: id }
  await insertOutbox(tx, { key: cardKey(id), session, turn, kind: 'card', payload })
}

/** Updates the card to show the outcome. */
export async function showOutcome(tx: Tx, { id, session, turn }: Request): Promise<void> {
  const payload = { request: id }
  await insertOutbox(tx, { key: outcomeKey(id), session, turn, kind: 'outcome', payload })
}

/** Updates the card to show who has approved so far. */
export async function showVotes(tx: Tx, { id, session, turn }: Request): Promise<void> {
  const payload = { request: id }
  // A new key each time: a vote may be withdrawn and replaced by another.
  await insertOutbox(tx, {
    key: `${outcomeKey(id)}_votes_${newId('msg', tx.now)}`,
    session,
    turn,
    kind: 'outcome',
    payload,
  })
}

/** Updates the card to show the answer after it was edited or deleted, which `event` reported. */
export async function showChanged(tx: Tx, { id, session, turn }: Request, event: number): Promise<void> {
  const payload = { request: id }
  await insertOutbox(tx, { key: `${outcomeKey(id)}_changed_${event}`, session, turn, kind: 'outcome', payload })
}

/** Updates the card to show who is asked now. If somebody has deleted it, it is posted again. */
export async function showMoved(tx: Tx, { id, session, turn, reminded }: Request): Promise<void> {
  const payload = { request: id }
  await insertOutbox(tx, { key: `${outcomeKey(id)}_moved_${reminded}`, session, turn, kind: 'outcome', payload })
}

/** Nothing is known to stand there. */
export const isCardGone = async (db: Db, request: RequestId): Promise<boolean> =>
  (await findPosting(db, pageKey(cardKey(request), 0)))?.id === undefined

/**
 * Finds out whether the card still stands, which costs a call, so once a minute at most, and not while it waits to be
 * posted. If somebody has deleted it, it is posted again.
 */
export async function lookForCard(tx: Tx, { id, session, turn }: Request): Promise<void> {
  if ((await outboxState(tx.db, cardKey(id))) === 'pending') return
  const key = `${outcomeKey(id)}_looked_${Math.floor(tx.now / 60_000)}`
  await insertOutbox(tx, { key, session, turn, kind: 'outcome', payload: { request: id } })
}
