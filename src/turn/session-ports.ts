import type { Person } from '../domain/chat.ts'
import type { AlarmId, CallId } from '../domain/ids.ts'
import type { Alarms, Todos } from '../domain/session.ts'
import { cancelAlarm, insertAlarm, pendingAlarms } from '../store/alarms.ts'
import type { Lease, Store } from '../store/store.ts'
import { readTodos, writeTodos } from '../store/todos.ts'

/** The session's todos, as its tools see them. */
export const todosOf = (store: Store, lease: Lease): Todos => ({
  read: () => readTodos(store.db, lease.session),
  write: (todos) => store.fenced(lease, (tx) => writeTodos(tx, lease.session, todos)),
})

/** The session's alarms, as its tools see them. */
export const alarmsOf = (store: Store, lease: Lease, person: Person, call: CallId): Alarms => ({
  async set(alarm) {
    // Made of the call's id, so that a call that runs again after a crash finds its alarm.
    const id: AlarmId = `alarm_${call.slice('call_'.length)}`
    await store.fenced(lease, (tx) => insertAlarm(tx, { ...alarm, id, session: lease.session, person }))
    return id
  },
  list: () => pendingAlarms(store.db, lease.session),
  cancel: (id) => store.fenced(lease, (tx) => cancelAlarm(tx, lease.session, id)),
})
