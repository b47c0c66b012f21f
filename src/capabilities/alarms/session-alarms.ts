import type { Person } from '../../domain/chat.ts'
import { type AlarmId, alarmOfCall, type CallId } from '../../domain/ids.ts'
import type { Alarm } from '../../domain/session.ts'
import { cancelAlarm, insertAlarm, pendingAlarms } from '../../store/alarms.ts'
import type { Lease, Store } from '../../store/store.ts'

/** The session's alarms. */
export interface Alarms {
  /** The id of the alarm that this call sets. Derived from the call's, so that one that runs again finds its alarm. */
  own: AlarmId
  /** Idempotent: setting the same call's alarm again changes nothing. */
  set(alarm: Omit<Alarm, 'id'>): Promise<AlarmId>
  list(): Promise<Alarm[]>
  /** False if this session has no such pending alarm. */
  cancel(id: string): Promise<boolean>
}

export function alarmsOf(store: Store, lease: Lease, person: Person, call: CallId): Alarms {
  const own = alarmOfCall(call)
  return {
    own,
    async set(alarm) {
      await store.fenced(lease, (tx) => insertAlarm(tx, { ...alarm, id: own, session: lease.session, person }))
      return own
    },
    list: () => pendingAlarms(store.db, lease.session),
    cancel: (id) => store.fenced(lease, (tx) => cancelAlarm(tx, lease.session, id)),
  }
}
