import { sql } from 'kysely'
import type { Person } from '../domain/chat.ts'
import type { AlarmId, SessionId } from '../domain/ids.ts'
import type { Alarm } from '../domain/session.ts'
import type { NextAt } from './next-at.ts'
import { personPattern } from './person-turns.ts'
import type { AlarmRow } from './schema.ts'
import type { Db, Tx } from './store.ts'

export interface StoredAlarm extends Alarm {
  session: SessionId
  person: Person
}

const toAlarm = (row: AlarmRow): StoredAlarm => ({
  id: row.id,
  session: row.session_id,
  message: row.message,
  dueAt: row.due_at,
  cron: row.cron ?? undefined,
  timeZone: row.time_zone,
  person: JSON.parse(row.person),
})

/** Inserting an alarm that already exists changes nothing. */
export async function insertAlarm(tx: Tx, alarm: StoredAlarm): Promise<void> {
  await tx.db
    .insertInto('alarms')
    .values({
      id: alarm.id,
      session_id: alarm.session,
      message: tx.mask(alarm.message),
      due_at: alarm.dueAt,
      cron: alarm.cron ?? null,
      time_zone: alarm.timeZone,
      person: JSON.stringify(alarm.person),
      state: 'pending',
      created_at: tx.now,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

export async function pendingAlarms(db: Db, session: SessionId): Promise<StoredAlarm[]> {
  const rows = await db
    .selectFrom('alarms')
    .selectAll()
    .where('session_id', '=', session)
    .where('state', '=', sql.lit('pending'))
    .orderBy('due_at')
    .execute()
  return rows.map(toAlarm)
}

/** The alarms of a person in all threads, the next one first. */
export async function alarmsIn(db: Db, person: string, limit: number): Promise<StoredAlarm[]> {
  const rows = await db
    .selectFrom('alarms')
    .selectAll()
    .where('state', '=', sql.lit('pending'))
    .where('person', 'like', personPattern(person))
    .orderBy('due_at')
    .limit(limit)
    .execute()
  return rows.map(toAlarm).filter((alarm) => alarm.person.id === person)
}

const isOn = (platforms: readonly string[]) =>
  sql<boolean>`exists (select 1 from sessions where id = session_id and platform in (${sql.join(platforms)}))`

/** In threads of these platforms. */
export const nextAlarm = (platforms: readonly string[]): NextAt =>
  sql`select due_at from alarms where state = 'pending' and ${isOn(platforms)} order by due_at limit 1`

/** In threads of these platforms. */
export async function dueAlarms(db: Db, now: number, platforms: readonly string[]): Promise<StoredAlarm[]> {
  const rows = await db
    .selectFrom('alarms')
    .selectAll()
    .where(isOn(platforms))
    .where('state', '=', sql.lit('pending'))
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(1000)
    .execute()
  return rows.map(toAlarm)
}

/** Claims one ringing; false when another process was first. A repeating alarm continues at `nextDueAt`. */
export async function claimAlarm(tx: Tx, alarm: StoredAlarm, nextDueAt: number | undefined): Promise<boolean> {
  const next = nextDueAt === undefined ? { state: 'fired' as const } : { due_at: nextDueAt }
  const claimed = await tx.db
    .updateTable('alarms')
    .set({ ...next, fired_at: tx.now })
    .where('id', '=', alarm.id)
    .where('state', '=', sql.lit('pending'))
    .where('due_at', '=', alarm.dueAt)
    .returning('id')
    .executeTakeFirst()
  return claimed !== undefined
}

/** All that a session has; returns how many. */
export async function cancelAlarms(tx: Tx, session: SessionId): Promise<number> {
  const { numUpdatedRows } = await tx.db
    .updateTable('alarms')
    .set({ state: 'cancelled' })
    .where('session_id', '=', session)
    .where('state', '=', sql.lit('pending'))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export async function cancelAlarm(tx: Tx, session: SessionId, id: string): Promise<boolean> {
  const cancelled = await tx.db
    .updateTable('alarms')
    .set({ state: 'cancelled' })
    .where('id', '=', id as AlarmId)
    .where('session_id', '=', session)
    .where('state', '=', sql.lit('pending'))
    .returning('id')
    .executeTakeFirst()
  return cancelled !== undefined
}
