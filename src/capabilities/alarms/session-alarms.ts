import type { Person } from '../../domain/chat.ts'
import type { AlarmId, CallId } from '../../domain/ids.ts'
import type { Alarm } from '../../domain/session.ts'
import { cancelAlarm, insertAlarm, pendingAlarms } from '../../store/alarms.ts'
import type { Lease, Store } from '../../store/store.ts'

/** The session's alarms. */
export interface Alarms {
  /** Idempotent: setting the same call's alarm again changes nothing. */
  set(alarm: Omit<Alarm, 'id'>): Promise<AlarmId>
  list(): Promise<Alarm[]>
  /** False if this session has no such pending alarm. */
  cancel(id: string): Promise<boolean>
}

export const alarmsOf = (store: Store, lease: Lease, person: Person, call: CallId): Alarms => ({
  async set(alarm) {
    // Derived from the call's id, so that a call that runs again after a crash finds its alarm.
    const id: AlarmId = `alarm_${call.slice('call_'.length)}`
    await store.fenced(lease, (tx) => insertAlarm(tx, { ...alarm, id, session: lease.session, person }))
    return id
  },
  list: () => pendingAlarms(store.db, lease.session),
  cancel: (id) => store.fenced(lease, (tx) => cancelAlarm(tx, lease.session, id)),
})
