import type { Engine } from '../../domain/engine.ts'
import { newId } from '../../domain/ids.ts'
import { nextRun } from '../../kit/calendar/time.ts'
import { claimAlarm, dueAlarms, type StoredAlarm } from '../../store/alarms.ts'
import { appendEvents } from '../../store/events.ts'
import { insertInbox, pendingInbox } from '../../store/inbox.ts'
import { findSession } from '../../store/sessions.ts'
import type { Store, Tx } from '../../store/store.ts'
import { type Access, barredSince } from '../../trust/admit.ts'
import { isOperatorsPlace } from '../../trust/who.ts'
import { withLateness } from '../../turn/port/alarm-text.ts'

interface Ringing {
  store: Store
  engine: Pick<Engine, 'wake'>
  access: Access
  /** An alarm was due and doesn't ring. `reason`: a sentence. */
  silenced(alarm: StoredAlarm, reason: string): void
}

/** Wakes the sessions whose alarms are due. A missed alarm goes off once, late; a repeating one continues from now. */
export async function ringAlarms({ store, engine, access, silenced }: Ringing, now: number): Promise<void> {
  for (const alarm of await dueAlarms(store.db, now)) {
    const rung = await ring(store, alarm, access)
    if (rung === true) engine.wake(alarm.session)
    else if (rung !== false) silenced(alarm, rung.barred)
  }
}

/**
 * Claim and inbox row are one transaction, so an alarm goes off once, whoever claims it. If whoever set it may no
 * longer use the bot there, it passes without a ring.
 */
function ring(store: Store, alarm: StoredAlarm, access: Access): Promise<boolean | { barred: string }> {
  return store.transaction(async (tx) => {
    await tx.hold(alarm.session)
    if (!(await claimAlarm(tx, alarm, nextTime(alarm, tx.now)))) return false
    const reason = await whyBarred(tx, alarm, access)
    if (reason !== undefined) return { barred: reason }
    // If the session hasn't read the last ring yet, it would only read both at once.
    if (await isUnread(tx, alarm)) return false
    const { id, message, dueAt, timeZone, person } = alarm
    const data = {
      message_id: newId('msg', tx.now),
      role: 'alarm' as const,
      text: withLateness(message, tx.now - dueAt),
      files: [],
      person,
      alarm_id: id,
    }
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

async function whyBarred(tx: Tx, { session, person }: StoredAlarm, access: Access): Promise<string | undefined> {
  const thread = (await findSession(tx.db, session))?.thread
  return thread === undefined || isOperatorsPlace(thread) ? undefined : barredSince(thread, person, access)
}

async function isUnread(tx: Tx, alarm: StoredAlarm): Promise<boolean> {
  const unread = await pendingInbox(tx.db, alarm.session)
  return unread.some((event) => event.kind === 'alarm' && event.payload.alarm === alarm.id)
}
