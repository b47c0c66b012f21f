import { type RawBuilder, sql } from 'kysely'
import type { SessionId } from '../domain/ids.ts'
import type { Approval } from '../domain/request.ts'
import { childrenOf } from './children.ts'
import { dropContext } from './contexts.ts'
import { endJobs, startJob } from './jobs.ts'
import { dropPrompt } from './prompts.ts'
import type { Db, Tx } from './store.ts'
import { dropTodos } from './todos.ts'

/**
 * Detaches the session from its thread, so a message there starts a new one. Its contents are erased later, and those
 * of its children.
 */
export async function markDeleted(tx: Tx, session: SessionId): Promise<void> {
  const history_from = await tx.ledger.next(session, 'next_message')
  await tx.db
    .updateTable('sessions')
    .set((eb) => ({
      deleted_at: tx.now,
      was_thread: eb.fn.coalesce('was_thread', 'thread'),
      thread: sql<string>`thread || ' deleted ' || id`,
      title: '',
      history_from,
    }))
    .where('id', '=', session)
    .where('deleted_at', 'is', null)
    .execute()
  for (const child of await childrenOf(tx.db, session)) await markDeleted(tx, child)
  await dropPrompt(tx, session)
  await dropContext(tx, session)
  await dropTodos(tx, session)
  await endJobs(tx, session)
  const input: Erasing = {
    session,
    before: {
      event: await tx.ledger.next(session, 'next_event'),
      inbox: await tx.ledger.next(session, 'next_inbox'),
      outbox: await tx.ledger.next(session, 'next_outbox'),
    },
  }
  await startJob(tx, { kind: erasing, owner: 'bot', key: session, input: { ...input }, dueAt: tx.now + postMs })
  // Nothing in it may wake anybody any more.
  await tx.db.updateTable('inbox').set({ state: 'taken' }).where('session_id', '=', session).execute()
  await tx.db
    .updateTable('alarms')
    .set({ state: 'cancelled' })
    .where('session_id', '=', session)
    .where('state', '=', 'pending')
    .execute()
}

/** The kind of job that erases it. */
export const erasing = 'erase'

/** What is numbered below these was there before the deletion, whatever the clock said. */
export interface Erasing {
  session: SessionId
  before?: { event: number; inbox: number; outbox: number }
}

/** A job of the version before knows only when it was. */
const byTime = { event: 0, inbox: 0, outbox: 0 }

/** Time to post the last messages, ms. */
const postMs = 1_000

/** Whether something of a session that was said after `since` still has to be posted. */
export async function isPosting(db: Db, session: SessionId, since: number): Promise<boolean> {
  const row = await db
    .selectFrom('outbox')
    .select('key')
    .where('session_id', '=', session)
    .where('state', '=', sql.lit('pending'))
    .where('created_at', '>', since)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Erases what was said and done in a deleted session, and what of that still isn't posted. What stays contains none of
 * it: that its messages were received, so that none is read again; what its turns cost; grants that also hold in other
 * threads; and the audit log. Which uploads are still on their way is erased by `eraseUploads`.
 */
export async function eraseSession(tx: Tx, { session, before = byTime }: Erasing): Promise<void> {
  const { deleted_at } = await tx.db
    .selectFrom('sessions')
    .select('deleted_at')
    .where('id', '=', session)
    .executeTakeFirstOrThrow()
  if (deleted_at === null) return
  const run = (statement: RawBuilder<unknown>) => statement.execute(tx.db)
  await run(sql`delete from messages where session_id = ${session}`)
  const entries = sql`outbox where session_id = ${session} and (created_at < ${deleted_at} or seq < ${before.outbox})`
  // What ended with it was told in the same moment, and an earlier answer may have been posted later.
  await run(sql`delete from events where session_id = ${session}
    and (created_at < ${deleted_at} or type not in ('message', 'stopped', 'deleted')
      or (type = 'message' and (id < ${before.event} or key in (select key from ${entries}))))`)
  await run(sql`delete from ${entries}`)
  await run(sql`delete from postings where session_id = ${session} and begun_at < ${deleted_at}`)
  await run(sql`update inbox set payload = '{}' where session_id = ${session}
    and (created_at < ${deleted_at} or seq < ${before.inbox})`)
  await run(sql`delete from plan_steps where plan_id in (select id from plans where session_id = ${session})`)
  await run(sql`delete from files where session_id = ${session} and state <> 'expected'`)
  for (const table of ['plans', 'changes', 'session_tools', 'session_skills', 'alarms', 'recognized_pages'])
    await run(sql`delete from ${sql.table(table)} where session_id = ${session}`)
  // What capabilities note about a session ends with its id.
  await run(sql`delete from notes where name like ${`%.${session}`}`)
  await run(sql`delete from grants where session_id = ${session} and (scope = 'thread' or ended_at is not null)`)
  // A grant that a subagent asked for is its thread's.
  const gone = sql`session_id = ${session} and id not in (select request_id from grants)`
  await run(sql`delete from votes where request_id in (select id from requests where ${gone})`)
  await run(sql`delete from requests where ${gone}`)
  await emptyRequests(tx, session)
  await run(sql`update calls set arguments = '{}', result = null where session_id = ${session}`)
}

/** Erases the last that is known of a deleted session's uploads, once they are gone themselves. */
export async function eraseUploads({ db }: Tx, session: SessionId): Promise<void> {
  await db.deleteFrom('files').where('session_id', '=', session).where('state', '=', 'expected').execute()
}

/** Takes out of a session's requests, of which only approvals are left, what they asked about. */
async function emptyRequests(tx: Tx, session: SessionId): Promise<void> {
  const requests = await tx.db
    .selectFrom('requests')
    .select(['id', 'payload'])
    .where('session_id', '=', session)
    .execute()
  for (const { id, payload } of requests) {
    const { tool, risk, call, binding }: Approval = JSON.parse(payload)
    const emptied: Approval = { tool, input: {}, reason: '', risk, unclear: [], hosts: [], runs: [], call, binding }
    await tx.db
      .updateTable('requests')
      .set({ payload: JSON.stringify(emptied), answer: null })
      .where('id', '=', id)
      .execute()
  }
}
