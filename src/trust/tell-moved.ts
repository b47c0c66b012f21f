import { newId } from '../domain/ids.ts'
import type { Request } from '../domain/request.ts'
import { appendAudit } from '../store/audit.ts'
import { insertOutbox } from '../store/outbox.ts'
import type { Tx } from '../store/store.ts'
import { showMoved } from './cards.ts'
import { tellOfRequest } from './tell-request.ts'

/** Says something in the request's thread, and notifies these people and groups. */
export async function say(tx: Tx, { session, turn }: Request, text: string, ping: string[]): Promise<void> {
  const payload = { text, files: [], ping }
  await insertOutbox(tx, { key: newId('msg', tx.now), session, turn, kind: 'answer', payload })
}

/** Shows the card again, and tells screens and the audit log who is asked now. */
export async function tellMoved(tx: Tx, request: Request, asked: { who: string; needed: number; escalated: boolean }) {
  await showMoved(tx, request)
  const ids = { turn_id: request.turn, request_id: request.id, call_id: request.call }
  await tellOfRequest(tx, request, { type: 'permission_moved', data: { ...ids, ...asked } })
  const { who, escalated } = asked
  await appendAudit(tx, { kind: 'moved', session: request.session, data: { request: request.id, who, escalated } })
}
