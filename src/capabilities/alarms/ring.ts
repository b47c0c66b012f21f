import type { Engine } from '../../domain/engine.ts'
import { newId } from '../../domain/ids.ts'
import { nextRun } from '../../kit/calendar/time.ts'
import { Failure } from '../../kit/failure.ts'
import { claimAlarm, dueAlarms, type StoredAlarm } from '../../store/alarms.ts'
import { appendEvents } from '../../store/events.ts'
import { insertInbox, pendingInbox } from '../../store/inbox.ts'
import { insertOutbox } from '../../store/outbox.ts'
import { pendingRequests } from '../../store/requests.ts'
import { findSession, type Session } from '../../store/sessions.ts'
import type { Store, Tx } from '../../store/store.ts'
import { type Access, barredSince } from '../../trust/admit.ts'
import { isOperatorsPlace } from '../../trust/who.ts'
import { withLateness } from '../../turn/port/alarm-text.ts'
import { alarmsWords } from './words.ts'

interface Ringing {
  store: Store
  engine: Pick<Engine, 'wake'>
  access: Access
  /** Whether a session is shown on a platform, not only on screens. */
  isPosted(session: Session): boolean
  /** An alarm was due and doesn't ring. */
  silenced(alarm: StoredAlarm, why: Failure): void
}

/** Wakes the sessions whose alarms are due. A missed alarm goes off once, late; a repeating one continues from now. */
export async function ringAlarms(ringing: Ringing, now: number): Promise<void> {
  for (const alarm of await dueAlarms(ringing.store.db, now)) {
    const rung = await ring(alarm, ringing)
    if (rung === true) ringing.engine.wake(alarm.session)
    else if (rung !== false) ringing.silenced(alarm, rung)
  }
}

/**
 * Claim and inbox row are one transaction, so an alarm goes off once, whoever claims it. If whoever set it may no
 * longer use the bot there, it passes without a ring.
 */
function ring(alarm: StoredAlarm, { store, access, isPosted }: Ringing): Promise<boolean | Failure> {
  return store.transaction(async (tx) => {
    await tx.hold(alarm.session)
    if (!(await claimAlarm(tx, alarm, nextTime(alarm, tx.now)))) return false
    const session = await findSession(tx.db, alarm.session)
    const reason = session && whyBarred(session, alarm, access)
    if (reason !== undefined) return new Failure('barred', reason, '')
    const { id, message, dueAt, timeZone, person } = alarm
    const text = withLateness(message, tx.now - dueAt)
    if (session !== undefined && isPosted(session)) await tellWaiting(tx, alarm, text)
    // The session would only read both at once.
    if (await isUnread(tx, alarm)) return new Failure('unread', alarmsWords.lastRingUnread(), '')
    const data = { message_id: newId('msg', tx.now), role: 'alarm' as const, text, files: [], person, alarm_id: id }
    const eventId = await appendEvents(tx, alarm.session, [{ type: 'message', data }])
    await insertInbox(tx, alarm.session, {
      dedupKey: `alarm:${id}:${dueAt}`,
      kind: 'alarm',
      payload: { person, alarm: id, message, dueAt, timeZone },
      eventId,
    })
    return true
  })
}

/** Undefined if it doesn't ring again. */
function nextTime({ cron, dueAt, timeZone }: StoredAlarm, now: number): number | undefined {
  if (cron === undefined) return undefined
  try {
    return nextRun(cron, { after: Math.max(now, dueAt), timeZone })
  } catch {
    // It was checked when it was set, so this was its last time.
    return undefined
  }
}

const whyBarred = ({ thread }: Session, { person }: StoredAlarm, access: Access): string | undefined =>
  isOperatorsPlace(thread) ? undefined : barredSince(thread, person, access)

/** While a request waits, the model reads no alarm, so people are told what it is about. */
async function tellWaiting(tx: Tx, { id, session }: StoredAlarm, text: string): Promise<void> {
  const [first] = await pendingRequests(tx.db, session)
  if (first === undefined) return
  // It is no part of the turn. Its key lets each alarm have only one for a request.
  const entry = { key: `${id}_${first.id}`, session, turn: undefined, kind: 'answer' as const }
  await insertOutbox(tx, { ...entry, payload: { text: alarmsWords.ringsWaiting({ text }), files: [] } })
}

async function isUnread(tx: Tx, alarm: StoredAlarm): Promise<boolean> {
  const unread = await pendingInbox(tx.db, alarm.session)
  return unread.some((event) => event.kind === 'alarm' && event.payload.alarm === alarm.id)
}
