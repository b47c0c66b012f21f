import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { ThreadRef } from '../domain/chat.ts'
import { type CallId, newId, type SessionId, type TurnId } from '../domain/ids.ts'
import { openCallStates } from './calls.ts'
import { heldSession } from './hold-session.ts'
import { findByDedupKey, insertInbox } from './inbox.ts'
import type { ChildEnd } from './inbox-event.ts'
import { listOf } from './json.ts'
import { prepared } from './prepared.ts'
import type { HandedTo, ParentCall, Session, SessionRow } from './session-rows.ts'
import { loadedTools, loadTools } from './session-tools.ts'
import { toSession } from './sessions.ts'
import { loadSkills } from './skills.ts'
import type { Db, Tx } from './store.ts'
import { openStates } from './turns.ts'

interface NewChild {
  /** The call that opens it. */
  call: CallId
  turn: TurnId
  title: string
  /** Works in it, in addition to those that have the thread. */
  agent: string | undefined
  maxSteps: number
  skills?: readonly string[] | undefined
}

const narrowedBy = prepared((db, { id }: { id: SessionId }) =>
  db.selectFrom('sessions').select(['mode', 'agents']).where('id', '=', id),
)

interface Values extends ThreadRef {
  id: SessionId
  wasThread: string
  parent: SessionId
  turn: TurnId
  call: CallId
  maxSteps: number
  title: string
  person: string
  timeZone: string
  model: string | null
  mode: SessionRow['mode']
  agents: string | null
  now: number
}

/** The numbers that its task takes, in the transaction that opens it. */
const itsTask = { next_event: 1, next_inbox: 1 }

const insert = prepared((db, values: Pick<Values, keyof Values>) =>
  db
    .insertInto('sessions')
    .values({
      id: values.id,
      platform: values.platform,
      tenant: values.tenant,
      project: values.project,
      thread: values.thread,
      was_thread: values.wasThread,
      max_steps: values.maxSteps,
      parent: values.parent,
      parent_turn: values.turn,
      parent_call: values.call,
      title: values.title,
      person: values.person,
      time_zone: values.timeZone,
      model: values.model,
      epoch: 0,
      next_event: 2,
      next_message: 1,
      next_inbox: 2,
      next_outbox: 1,
      earlier: 'none' as const,
      history_from: 1,
      mode: values.mode,
      agents: values.agents,
      created_at: values.now,
      updated_at: values.now,
    })
    .onConflict((on) => on.columns(['platform', 'tenant', 'project', 'thread']).doNothing())
    .returningAll(),
)

/** Short, because people read it. */
const newName = (): string => `subagent-${randomBytes(4).toString('hex')}`

/** Opens a child session with the tools that were loaded into its parent. It lives in its parent's thread. */
export async function createChild(
  tx: Tx,
  parent: Session,
  { call, turn, title, agent, skills = [], maxSteps }: NewChild,
  name: () => string = newName,
): Promise<Session> {
  const { platform, tenant, project, thread } = parent.thread
  // What narrows the parent narrows its child, and may have changed since the parent was read.
  const [above] = await narrowedBy(tx.db, { id: parent.id })
  if (above === undefined) throw new Error(`there is no session ${parent.id}`)
  const values = {
    id: newId('ses', tx.now),
    platform,
    tenant,
    project,
    wasThread: thread,
    parent: parent.id,
    turn,
    call,
    maxSteps,
    title: tx.mask(title),
    person: JSON.stringify(parent.person),
    timeZone: parent.timeZone,
    model: parent.model ?? null,
    mode: above.mode,
    agents: agentsBelow(above.agents, agent, call),
    now: tx.now,
  }
  let row: SessionRow | undefined
  // One of the channel's many others may have the name.
  while (row === undefined) [row] = await insert(tx.db, { ...values, thread: name() })
  const child = heldSession(tx, row, itsTask)
  await loadTools(tx, child.id, await loadedTools(tx.db, parent.id))
  if (skills.length > 0) await loadSkills(tx, child.id, skills, skills.length)
  return child
}

/**
 * The agents of a child: those that have its parent's thread, or had it when people asked for the child's work, and the
 * one that it was opened for.
 */
function agentsBelow(above: string | null, agent: string | undefined, call: CallId): string | null {
  if (above === null && agent === undefined) return null
  const { stack: now, route }: Pick<HandedTo, 'stack' | 'route'> = above === null ? { stack: [] } : JSON.parse(above)
  const stack = route?.calls.includes(call) ? (route.stack ?? now) : now
  return JSON.stringify({ stack: agent === undefined ? stack : [...stack, agent], chosen: false, step: 0 })
}

const byCall = prepared((db, { call }: { call: CallId }) =>
  db.selectFrom('sessions').selectAll().where('parent_call', '=', call),
)

/** The child session that a call opened. */
export async function findChild(db: Db, call: CallId): Promise<Session | undefined> {
  const [row] = await byCall(db, { call })
  return row && toSession(row)
}

/** The child sessions whose results stand in a session's history, from a message on or within turns. */
export async function childrenReadBy(
  db: Db,
  { session, from, turns }: { session: SessionId; from: number; turns: TurnId[] | undefined },
): Promise<SessionId[]> {
  let query = db
    .selectFrom('sessions')
    .innerJoin('messages', 'messages.call_id', 'sessions.parent_call')
    .select('sessions.id')
    .where('sessions.parent', '=', session)
    .where('messages.seq', '>=', from)
  if (turns !== undefined) query = query.where('messages.turn_id', 'in', listOf(turns))
  return (await query.execute()).map(({ id }) => id)
}

/** The child sessions of a session, or of some of its turns. */
export async function childrenOf(db: Db, session: SessionId, turns?: TurnId[]): Promise<SessionId[]> {
  const all = db.selectFrom('sessions').select('id').where('parent', '=', session)
  const rows = await (turns === undefined ? all : all.where('parent_turn', 'in', listOf(turns))).execute()
  return rows.map(({ id }) => id)
}

/** Children of open turns that work as an agent, or for one. */
export async function childrenWithAgents(db: Db): Promise<Session[]> {
  const rows = await db
    .selectFrom('turns')
    .innerJoin('sessions', (join) =>
      join.onRef('sessions.parent', '=', 'turns.session_id').onRef('sessions.parent_turn', '=', 'turns.id'),
    )
    .selectAll('sessions')
    .where('turns.state', 'in', openStates)
    .where('sessions.agents', 'is not', null)
    .where(childUnended('sessions'))
    .execute()
  return rows.map(toSession)
}

const parentById = prepared((db, { id }: { id: SessionId }) =>
  db.selectFrom('sessions').select(['parent', 'parent_turn', 'parent_call']).where('id', '=', id),
)

/** The call that opened a session; undefined if it is no child. */
export async function parentCallOf(db: Db, id: SessionId): Promise<ParentCall | undefined> {
  const [row] = await parentById(db, { id })
  if (!row?.parent || !row.parent_turn || !row.parent_call) return undefined
  return { session: row.parent, turn: row.parent_turn, call: row.parent_call }
}

/**
 * Whether nobody has told a child's parent of its end yet, and its call still waits for it. `table`: what the query
 * calls the child's row.
 */
export const childUnended = (table: string): RawBuilder<boolean> => {
  const call = sql.ref(`${table}.parent_call`)
  return sql<boolean>`not exists (select 1 from inbox where dedup_key = 'child:' || ${call})
    and exists (select 1 from calls where id = ${call} and state in (${sql.join(openCallStates)}))`
}

const countOpen = prepared((db, { session, turn }: { session: SessionId; turn: TurnId }) =>
  db
    .selectFrom('sessions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('parent', '=', session)
    .where('parent_turn', '=', turn)
    .where(childUnended('sessions')),
)

/** How many children of a turn haven't ended. */
export async function openChildren(db: Db, { session, turn }: Omit<ParentCall, 'call'>): Promise<number> {
  const [row] = await countOpen(db, { session, turn })
  return Number(row?.count)
}

const endKey = (call: CallId): string => `child:${call}`

/** Tells a call how the child session that it opened has ended. Its first end counts. */
export async function tellParent(tx: Tx, { session, call }: ParentCall, end: ChildEnd): Promise<void> {
  if ((await findByDedupKey(tx.db, endKey(call))) !== undefined) return
  const eventId = (await tx.ledger.next(session, 'next_event')) - 1
  await insertInbox(tx, session, { dedupKey: endKey(call), kind: 'answer', payload: { child: tx.mask(end) }, eventId })
  tx.wakes(session)
}

/** How the child session that a call opened has ended; undefined while it hasn't. */
export async function childEnd(db: Db, call: CallId): Promise<ChildEnd | undefined> {
  const received = await findByDedupKey(db, endKey(call))
  return (received?.payload as { child?: ChildEnd } | undefined)?.child
}
