import type { Engine } from '../../domain/engine.ts'
import { newId } from '../../domain/ids.ts'
import { nextRun } from '../../kit/calendar/time.ts'
import { Failure } from '../../kit/failure.ts'
import { claimAlarm, dueAlarms, type StoredAlarm } from '../../store/alarms.ts'
import { turnThatSet } from '../../store/calls.ts'
import { appendEvents } from '../../store/events.ts'
import { findByDedupKey, insertInbox, pendingInbox } from '../../store/inbox.ts'
import type { InboxPayload } from '../../store/inbox-event.ts'
import { pendingRequests } from '../../store/list-requests.ts'
import { refusesAlarm } from '../../store/refused.ts'
import { isRingTold } from '../../store/rings.ts'
import { findSession, type Session } from '../../store/sessions.ts'
import type { Store, Tx } from '../../store/store.ts'
import { type Access, barredSince } from '../../trust/admit.ts'
import { isOperatorsPlace } from '../../trust/who.ts'
import { withLateness } from '../../turn/port/alarm-text.ts'
import { tellAlarm } from '../../turn/port/tell-alarm.ts'
import { alarmsWords } from './words.ts'

/** While the model can't read its rings, people aren't told of an alarm more often than this, ms. */
const toldEachMs = 50 * 60_000

interface Ringing {
  store: Store
  engine: Pick<Engine, 'wake'>
  access: Access
  /** Those that this process is set up for. */
  platforms: ReadonlyMap<string, { progress: 'posted' | 'followed' }>
  /** An alarm was due and doesn't ring. */
  silenced(alarm: StoredAlarm, why: Failure): void
}

/**
 * Wakes the sessions whose alarms are due. A missed alarm goes off once, late; a repeating one continues from now. One
 * of another platform waits for a process that is set up for it.
 */
export async function ringAlarms(ringing: Ringing, now: number): Promise<void> {
  for (const alarm of await dueAlarms(ringing.store.db, now, [...ringing.platforms.keys()])) {
    const rung = await ring(alarm, ringing)
    if (rung === true) ringing.engine.wake(alarm.session)
    else if (rung !== false) ringing.silenced(alarm, rung)
  }
}

/**
 * Claim and inbox row are one transaction, so an alarm goes off once, whoever claims it. If nobody would see it there,
 * or whoever set it may no longer use the bot there, it passes without a ring.
 */
function ring(alarm: StoredAlarm, { store, access, platforms }: Ringing): Promise<boolean | Failure> {
  return store.transaction(async (tx) => {
    await tx.hold(alarm.session)
    if (!(await claimAlarm(tx, alarm, nextTime(alarm, tx.now)))) return false
    const { id, message, dueAt, person } = alarm
    const dedupKey = `alarm:${id}:${dueAt}`
    // It rang for this time while the clock was ahead.
    if ((await findByDedupKey(tx.db, dedupKey)) !== undefined) return false
    const session = await findSession(tx.db, alarm.session)
    const reason = session && whyBarred(session, alarm, access)
    if (reason !== undefined) return new Failure('barred', reason, '')
    // If the turn asks only after this, it tells people when it rests.
    const isPosted = session !== undefined && platforms.get(session.thread.platform)?.progress === 'posted'
    const isWaiting = isPosted && (await pendingRequests(tx.db, session.id)).length > 0
    // The session would only read both at once.
    if (await isUnread(tx, alarm)) {
      const isTold = !isWaiting || (await isRingTold(tx.db, alarm, tx.now - toldEachMs))
      if (!isTold) await tellAlarm(tx, alarm.session, await ringOf(tx, alarm))
      return new Failure('unread', alarmsWords.lastRingUnread(), '')
    }
    // Each ring would only add to what nobody sees.
    if (await refusesAlarm(tx.db, alarm.session, alarm.id))
      return new Failure('not_posted', alarmsWords.lastAnswerUnposted(), '')
    const text = withLateness(message, tx.now - dueAt)
    const data = { message_id: newId('msg', tx.now), role: 'alarm' as const, text, files: [], person, alarm_id: id }
    const eventId = await appendEvents(tx, alarm.session, [{ type: 'message', data }])
    const payload = await ringOf(tx, alarm)
    await insertInbox(tx, alarm.session, { dedupKey, kind: 'alarm', payload, eventId })
    if (isWaiting) await tellAlarm(tx, alarm.session, payload)
    return true
  })
}

const ringOf = async (
  tx: Tx,
  { id, person, message, dueAt, timeZone }: StoredAlarm,
): Promise<InboxPayload['alarm']> => ({
  ...{ person, alarm: id, message, dueAt, timeZone },
  turn: await turnThatSet(tx.db, id),
})

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

async function isUnread(tx: Tx, alarm: StoredAlarm): Promise<boolean> {
  const unread = await pendingInbox(tx.db, alarm.session)
  return unread.some((event) => event.kind === 'alarm' && event.payload.alarm === alarm.id)
}
