import type { Engine } from '../../domain/engine.ts'
import { newId } from '../../domain/ids.ts'
import { nextRun } from '../../kit/calendar/time.ts'
import { claimAlarm, dueAlarms, type StoredAlarm } from '../../store/alarms.ts'
import { appendEvents } from '../../store/events.ts'
import { insertInbox, pendingInbox } from '../../store/inbox.ts'
import type { Store, Tx } from '../../store/store.ts'
import { withLateness } from '../../turn/port/alarm-text.ts'

/** Wakes the sessions whose alarms are due. A missed alarm goes off once, late; a repeating one continues from now. */
export async function ringAlarms(store: Store, engine: Pick<Engine, 'wake'>, now: number): Promise<void> {
  for (const alarm of await dueAlarms(store.db, now)) {
    if (await ring(store, alarm)) engine.wake(alarm.session)
  }
}

/** Claim and inbox row are one transaction, so an alarm goes off once, whoever claims it. */
function ring(store: Store, alarm: StoredAlarm): Promise<boolean> {
  return store.transaction(async (tx) => {
    await tx.hold(alarm.session)
    if (!(await claimAlarm(tx, alarm, nextTime(alarm, tx.now)))) return false
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

async function isUnread(tx: Tx, alarm: StoredAlarm): Promise<boolean> {
  const unread = await pendingInbox(tx.db, alarm.session)
  return unread.some((event) => event.kind === 'alarm' && event.payload.alarm === alarm.id)
}
