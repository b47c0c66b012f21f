import type { Request } from '../domain/request.ts'
import { insertOutbox } from '../store/outbox.ts'
import type { Tx } from '../store/store.ts'

export const cardKey = (request: Request['id']): string => `card_${request}`

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
