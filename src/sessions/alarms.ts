import { answerKey, takeAnswer } from '../decisions/answer.ts'
import { matchAnswer } from '../decisions/match-option.ts'
import type { Engine } from '../domain/engine.ts'
import { newId, type SessionId } from '../domain/ids.ts'
import { nextRun } from '../domain/time.ts'
import { claimAlarm, dueAlarms, type StoredAlarm } from '../store/alarms.ts'
import { appendEvents } from '../store/events.ts'
import { insertInbox } from '../store/inbox.ts'
import { overdueRequests } from '../store/requests.ts'
import type { Store } from '../store/store.ts'
import { lateness } from './alarm-text.ts'

/** Wakes the sessions whose alarms are due. One that was missed goes off once, late; a repeating one goes on from now. */
export async function ringAlarms(store: Store, engine: Engine, now: number): Promise<void> {
  for (const alarm of await dueAlarms(store.db, now)) {
    if (await ring(store, alarm)) engine.wake(alarm.session)
  }
}

/** Claim and inbox row are one transaction: an alarm goes off once, whoever looks. */
function ring(store: Store, alarm: StoredAlarm): Promise<boolean> {
  return store.transaction(async (tx) => {
    const next = alarm.cron && nextRun(alarm.cron, { after: Math.max(tx.now, alarm.dueAt), timeZone: alarm.timeZone })
    if (!(await claimAlarm(tx, alarm, next || undefined))) return false
    const { id, message, dueAt, timeZone, person } = alarm
    const data = {
      message_id: newId('msg', tx.now),
      role: 'alarm' as const,
      text: `${message}${lateness(tx.now - dueAt)}`,
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

/** Takes the defaults of questions whose time is over. */
export async function takeDefaults(store: Store, engine: Engine, now: number): Promise<void> {
  for (const request of await overdueRequests(store.db, now)) {
    if (request.kind === 'approval' || request.payload.default === undefined) continue
    const answer = { ...matchAnswer(request.payload, request.payload.default), by: 'deadline' as const }
    const session = await store.transaction(async (tx): Promise<SessionId | undefined> => {
      const taken = await takeAnswer(tx, request, answer, undefined)
      if (taken === undefined) return undefined
      const row = { dedupKey: answerKey(request.id), eventId: taken.eventId, payload: { request: request.id } }
      await insertInbox(tx, request.session, { ...row, kind: 'answer' })
      return request.session
    })
    if (session !== undefined) engine.wake(session)
  }
}
