import { newId } from '../domain/ids.ts'
import type { Request } from '../domain/request.ts'
import { appendAudit } from '../store/audit.ts'
import { insertOutbox } from '../store/outbox.ts'
import type { Tx } from '../store/store.ts'
import { showMoved } from './cards.ts'
import { tellOfRequest } from './tell-request.ts'

/** A reminder takes at most so many times as long as the first one. */
const rarest = 32

/**
 * When to remind next of what was asked at `askedAt`. The first three come in equal steps, each later one takes twice
 * as long. Neither a pause of the bot nor reminders to those who were asked before count.
 */
export function nextReminder(remindMs: number, askedAt: number, reminded: number, now: number): number {
  const steps = Math.floor((now - askedAt) / remindMs) - 1
  return now + remindMs * Math.max(1, Math.min(steps, 2 ** (reminded - 1), rarest))
}

export function earliest(...times: (number | undefined)[]): number | undefined {
  const due = times.filter((at) => at !== undefined)
  return due.length === 0 ? undefined : Math.min(...due)
}

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
