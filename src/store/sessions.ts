import { type RawBuilder, sql } from 'kysely'
import type { ThreadRef } from '../domain/chat.ts'
import type { SessionId } from '../domain/ids.ts'
import { field } from './json.ts'
import { prepared } from './prepared.ts'
import type { Session, SessionRow } from './session-rows.ts'
import { dropSkills } from './skills.ts'
import type { Db, Tx } from './store.ts'
import { dropTodos } from './todos.ts'

export type { Session }

export const toSession = (row: SessionRow): Session => ({
  id: row.id,
  ...parentOf(row),
  thread: {
    platform: row.platform,
    tenant: row.tenant,
    project: row.project,
    thread: row.was_thread ?? row.thread,
  },
  title: row.title,
  person: JSON.parse(row.person),
  timeZone: row.time_zone,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  messages: row.next_message - 1,
  lastEvent: row.next_event - 1,
  earlier: row.earlier,
  historyFrom: row.history_from,
  model: row.model ?? undefined,
  mode: row.mode ?? 'act',
  agents: row.agents === null ? undefined : JSON.parse(row.agents),
  isPinned: row.pinned_at !== null,
  isArchived: row.archived_inbox === row.next_inbox,
  isDeleted: row.deleted_at !== null,
})

function parentOf({ parent, parent_turn, parent_call, max_steps, thread }: SessionRow): Pick<Session, 'parent'> {
  if (parent === null || parent_turn === null || parent_call === null) return {}
  return { parent: { session: parent, turn: parent_turn, call: parent_call, name: thread, maxSteps: max_steps ?? 1 } }
}

/** The session whose thread, workspace and grants it works with: its parent's, or its own. */
export const homeOf = ({ id, parent }: Pick<Session, 'id' | 'parent'>): SessionId => parent?.session ?? id

const findById = prepared((db, { id }: { id: SessionId }) => db.selectFrom('sessions').selectAll().where('id', '=', id))

export async function findSession(db: Db, id: string): Promise<Session | undefined> {
  const [row] = await findById(db, { id: id as SessionId })
  return row && toSession(row)
}

const findByThread = prepared((db, at: { platform: string; tenant: string; project: string; thread: string }) =>
  db
    .selectFrom('sessions')
    .selectAll()
    .where('platform', '=', at.platform)
    .where('tenant', '=', at.tenant)
    .where('project', '=', at.project)
    .where('thread', '=', at.thread),
)

export async function findSessionByThread(db: Db, thread: ThreadRef): Promise<Session | undefined> {
  const [row] = await findByThread(db, { ...thread })
  return row && toSession(row)
}

/** One channel of a platform. */
export type ProjectRef = Omit<ThreadRef, 'thread'>

/** Newest first. `person`: the id of who began them; `who`: their id or name. */
export async function listSessions(
  db: Db,
  options: { project?: Partial<ProjectRef>; person?: string; who?: string | undefined; limit: number },
): Promise<Session[]> {
  let query = db
    .selectFrom('sessions')
    .selectAll()
    .where('parent', 'is', null)
    .where('deleted_at', 'is', null)
    .orderBy('updated_at', 'desc')
  if (options.person !== undefined) query = query.where(field('person', '$.id'), '=', options.person)
  if (options.who !== undefined) {
    const { who } = options
    query = query.where(({ or, eb }) =>
      or([eb(field('person', '$.id'), '=', who), eb(field('person', '$.name'), '=', who)]),
    )
  }
  for (const part of ['platform', 'tenant', 'project'] as const) {
    const value = options.project?.[part]
    if (value !== undefined) query = query.where(part, '=', value)
  }
  return (await query.limit(options.limit).execute()).map(toSession)
}

export async function timeZoneOf(db: Db, session: SessionId): Promise<string> {
  const row = await db.selectFrom('sessions').select('time_zone').where('id', '=', session).executeTakeFirstOrThrow()
  return row.time_zone
}

/** Threads of a platform with activity since then. The bot's own activity is counted within a minute. */
export async function threadsSince(db: Db, platform: string, since: number): Promise<ThreadRef[]> {
  return db
    .selectFrom('sessions')
    .select(['platform', 'tenant', 'project', 'thread'])
    .where('platform', '=', platform)
    .where('parent', 'is', null)
    .where('updated_at', '>=', since)
    .where('deleted_at', 'is', null)
    .orderBy('updated_at', 'desc')
    .execute()
}

/** The message that gave the session its title was edited. */
export async function retitle(tx: Tx, session: SessionId, was: string, title: string): Promise<void> {
  await tx.db
    .updateTable('sessions')
    .set({ title: tx.mask(title) })
    .where('id', '=', session)
    .where('title', '=', tx.mask(was))
    .execute()
}

/** Messages from before the mention are read now, and never again. */
export async function markEarlierRead(tx: Tx, session: SessionId): Promise<void> {
  await tx.db.updateTable('sessions').set({ earlier: 'read' }).where('id', '=', session).execute()
}

/** The model forgets what was said and loaded so far; the history itself stays. */
export async function forgetHistory(tx: Tx, session: SessionId): Promise<number> {
  const history_from = await tx.ledger.next(session, 'next_message')
  await tx.db.updateTable('sessions').set({ history_from }).where('id', '=', session).execute()
  await dropTodos(tx, session)
  await dropSkills(tx, session)
  return history_from
}

export const lastEvent = async (tx: Tx, session: SessionId): Promise<number> =>
  (await tx.ledger.next(session, 'next_event')) - 1

/** A few sessions, of a channel if one is given, whose ids begin with a prefix. */
export async function sessionsByPrefix(db: Db, project: ProjectRef | undefined, prefix: string): Promise<Session[]> {
  const rows = await db
    .selectFrom('sessions')
    .selectAll()
    .$if(project !== undefined, (all) =>
      all
        .where('platform', '=', project?.platform ?? '')
        .where('tenant', '=', project?.tenant ?? '')
        .where('project', '=', project?.project ?? ''),
    )
    .where('id', '>=', prefix as SessionId)
    .where('id', '<', `${prefix}~` as SessionId)
    .where('parent', 'is', null)
    .where('deleted_at', 'is', null)
    .limit(5)
    .execute()
  return rows.map(toSession)
}

/** Sessions without activity since then, in which nothing waits: of a channel, of all, or only one. */
export async function idleSessions(db: Db, before: number, within?: ProjectRef, only?: SessionId): Promise<Session[]> {
  // The conditions must match the partial indexes word for word, or SQLite reads whole tables for each session.
  const none = (table: 'turns' | 'requests' | 'outbox' | 'inbox', waits: RawBuilder<unknown>) =>
    sql<boolean>`not exists (select 1 from ${sql.table(table)} where session_id = sessions.id and ${waits})`
  const pending = sql`state = 'pending'`
  let query = db
    .selectFrom('sessions')
    .selectAll()
    .where('parent', 'is', null)
    .where('updated_at', '<', before)
    .where(none('turns', sql`state in ('running', 'waiting')`))
    .where(none('requests', pending))
    .where(sql<boolean>`sessions.id not in (select session_id from alarms where ${pending})`)
    .where(none('outbox', pending))
    .where(none('inbox', sql`state in ('pending', 'held') and ${pending}`))
  if (within !== undefined) {
    const { platform, tenant, project } = within
    query = query.where('platform', '=', platform).where('tenant', '=', tenant).where('project', '=', project)
  }
  if (only !== undefined) query = query.where('id', '=', only)
  return (await query.execute()).map(toSession)
}

/** The channels that have sessions, the last used first. */
export async function listProjects(db: Db): Promise<(ProjectRef & { sessions: number })[]> {
  return db
    .selectFrom('sessions')
    .select(({ fn }) => ['platform', 'tenant', 'project', fn.countAll<number>().as('sessions')])
    .where('parent', 'is', null)
    .where('deleted_at', 'is', null)
    .groupBy(['platform', 'tenant', 'project'])
    .orderBy(({ fn }) => fn.max('updated_at'), 'desc')
    .limit(500)
    .execute()
}

/** Nothing was said since the model was told to forget. */
export async function isForgotten(tx: Tx, session: SessionId): Promise<boolean> {
  const { history_from } = await tx.db
    .selectFrom('sessions')
    .select('history_from')
    .where('id', '=', session)
    .executeTakeFirstOrThrow()
  return history_from > 1 && history_from >= (await tx.ledger.next(session, 'next_message'))
}

/** Whether the model was told since this event to forget what had happened. */
export async function isResetSince(db: Db, session: SessionId, event: number): Promise<boolean> {
  const reset = await db
    .selectFrom('events')
    .select('id')
    .where('session_id', '=', session)
    .where('type', '=', 'reset')
    .where('id', '>', event)
    .limit(1)
    .executeTakeFirst()
  return reset !== undefined
}
