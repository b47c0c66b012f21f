import type { OutboxPayload } from './outbox-entry.ts'
import type { Tx } from './store.ts'

/** How many times a card has been posted again. */
export async function timesPostedAgain({ db }: Tx, key: string): Promise<number> {
  const card = await db.selectFrom('outbox').select('payload').where('key', '=', key).executeTakeFirst()
  const payload: OutboxPayload['card'] | undefined = card && JSON.parse(card.payload)
  return payload?.again ?? 0
}

/**
 * A card that was posted is posted once more, as if it were new: before whatever else waits in its thread. Changes
 * nothing while it waits, or if its last repetition isn't yet `restMs` old.
 */
export async function postAgain(tx: Tx, key: string, restMs: number): Promise<boolean> {
  const card = await tx.db
    .selectFrom('outbox')
    .select(['session_id', 'payload', 'created_at'])
    .where('key', '=', key)
    .where('state', '=', 'delivered')
    .executeTakeFirst()
  if (card === undefined) return false
  // The column holds what insertOutbox was given.
  const payload: OutboxPayload['card'] = JSON.parse(card.payload)
  if (payload.again !== undefined && card.created_at > tx.now - restMs) return false
  const again = (payload.again ?? 0) + 1
  await tx.db
    .updateTable('outbox')
    .set({
      ...{ state: 'pending', payload: JSON.stringify({ ...payload, again }), created_at: tx.now, next_at: tx.now },
      ...{ delivered_at: null, refused_at: null, reason: null, remedy: null, told_at: null },
    })
    .where('key', '=', key)
    .execute()
  tx.posts({ session: card.session_id })
  return true
}
