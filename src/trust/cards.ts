import { newId, type RequestId } from '../domain/ids.ts'
import type { Request } from '../domain/request.ts'
import { insertOutbox } from '../store/outbox.ts'
import type { Tx } from '../store/store.ts'

/** How a request's card is known in the outbox. */
export const cardKey = (request: RequestId): string => `card_${request}`

/** A request's card is to be posted. */
export async function showCard(tx: Tx, { id, session, turn }: Request): Promise<void> {
  const payload = { request: id }
  await insertOutbox(tx, { key: cardKey(id), session, turn, kind: 'card', payload })
}

/** A request's card is to show what became of it. */
export async function showOutcome(tx: Tx, { id, session, turn }: Request): Promise<void> {
  const payload = { request: id }
  await insertOutbox(tx, { key: `outcome_${id}`, session, turn, kind: 'outcome', payload })
}

/** A request's card is to show who has approved so far. */
export async function showVotes(tx: Tx, { id, session, turn }: Request): Promise<void> {
  const payload = { request: id }
  // Not by their number: one may be taken back, and another come in its place.
  await insertOutbox(tx, {
    key: `outcome_${id}_votes_${newId('msg', tx.now)}`,
    session,
    turn,
    kind: 'outcome',
    payload,
  })
}

/** A request's card is to show who is asked now. */
export async function showMoved(tx: Tx, { id, session, turn, reminded }: Request): Promise<void> {
  const payload = { request: id }
  await insertOutbox(tx, { key: `outcome_${id}_moved_${reminded}`, session, turn, kind: 'outcome', payload })
}
