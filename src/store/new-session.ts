import type { Person, ThreadRef } from '../domain/chat.ts'
import { newId, type SessionId } from '../domain/ids.ts'
import { choiceOf } from './chosen-model.ts'
import { heldSession, holdSession } from './hold-session.ts'
import { type Counters, counts, type Expected } from './ledger.ts'
import { prepared } from './prepared.ts'
import { findSessionByThread, type Session } from './sessions.ts'
import type { Db, Tx } from './store.ts'

interface NewSession {
  thread: ThreadRef
  title: string
  person: Person
  timeZone: string
  earlier?: 'none' | 'wanted'
}

type Values = Pick<ThreadRef, keyof ThreadRef> &
  Counters & {
    id: SessionId
    title: string
    person: string
    time_zone: string
    earlier: 'none' | 'wanted'
    choice: string
    now: number
  }

const insert = prepared((db, values: Values) =>
  db
    .insertInto('sessions')
    .values((eb) => ({
      id: values.id,
      platform: values.platform,
      tenant: values.tenant,
      project: values.project,
      thread: values.thread,
      title: values.title,
      person: values.person,
      time_zone: values.time_zone,
      epoch: 0,
      next_event: values.next_event,
      next_message: values.next_message,
      next_inbox: values.next_inbox,
      next_outbox: values.next_outbox,
      earlier: values.earlier,
      model: eb.selectFrom('notes').select('value').where('name', '=', values.choice),
      history_from: 1,
      created_at: values.now,
      updated_at: values.now,
    }))
    .onConflict((conflict) => conflict.columns(['platform', 'tenant', 'project', 'thread']).doNothing())
    .returningAll(),
)

/** Returns the thread's session, and creates it if there is none. */
export async function createSession(tx: Tx, from: NewSession, expected?: Expected): Promise<Session> {
  const { thread, title, person, timeZone } = from
  const taken = counts(expected)
  const [row] = await insert(tx.db, {
    id: newId('ses', tx.now),
    title: tx.mask(title),
    person: JSON.stringify(person),
    time_zone: timeZone,
    platform: thread.platform,
    tenant: thread.tenant,
    project: thread.project,
    thread: thread.thread,
    next_event: 1 + taken.next_event,
    next_message: 1 + taken.next_message,
    next_inbox: 1 + taken.next_inbox,
    next_outbox: 1 + taken.next_outbox,
    earlier: from.earlier === 'wanted' && !(await wasDeleted(tx.db, thread)) ? 'wanted' : 'none',
    choice: choiceOf(thread, person),
    now: tx.now,
  })
  if (row !== undefined) return heldSession(tx, row, expected)
  const known = await findSessionByThread(tx.db, thread)
  const held = known && (await holdSession(tx, known.id, expected))
  if (held === undefined) throw new Error(`the thread ${thread.thread} has no session, and cannot have one`)
  return held
}

/** After a session was deleted, a new one in the same thread doesn't read the old messages. */
async function wasDeleted(db: Db, { platform, tenant, project, thread }: ThreadRef): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where((eb) => eb.and({ platform, tenant, project, was_thread: thread }))
    .executeTakeFirst()
  return row !== undefined
}
