import { sql } from 'kysely'
import type { Person } from '../domain/chat.ts'
import { type CallId, newId, type RequestId, type SessionId } from '../domain/ids.ts'
import type { ApprovalAnswer, QuestionAnswer } from '../domain/question.ts'
import type { Asked, Request } from '../domain/request.ts'
import type { RequestRow } from './schema.ts'
import type { Db, Tx } from './store.ts'

const toRequest = (row: RequestRow): Request =>
  ({
    id: row.id,
    session: row.session_id,
    turn: row.turn_id,
    call: row.call_id,
    hash: row.arguments_hash,
    state: row.state,
    askedAt: row.asked_at,
    deadlineAt: row.deadline_at ?? undefined,
    answeredBy: row.answered_by ? JSON.parse(row.answered_by) : undefined,
    answeredAt: row.answered_at ?? undefined,
    kind: row.kind,
    payload: JSON.parse(row.payload),
    answer: row.answer ? JSON.parse(row.answer) : undefined,
    // Payload and answer are what insertRequest and answerRequest were given for this kind.
  }) as Request

export type NewRequest = Asked & Pick<Request, 'session' | 'turn' | 'call' | 'hash'>

export async function insertRequest(tx: Tx, request: NewRequest): Promise<Request> {
  // Only for a question with a default, or one that may go unanswered, something happens when its time is over.
  const question = request.kind === 'approval' ? undefined : request.payload
  const timeoutMs = question?.default === undefined && question?.required ? undefined : question?.timeout_ms
  const row = await tx.db
    .insertInto('requests')
    .values({
      id: newId('req', tx.now),
      session_id: request.session,
      turn_id: request.turn,
      call_id: request.call,
      kind: request.kind,
      payload: JSON.stringify(request.payload),
      arguments_hash: request.hash,
      state: 'pending',
      asked_at: tx.now,
      deadline_at: timeoutMs === undefined ? null : tx.now + timeoutMs,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toRequest(row)
}

export async function findRequest(db: Db, id: string): Promise<Request | undefined> {
  const row = await db
    .selectFrom('requests')
    .selectAll()
    .where('id', '=', id as RequestId)
    .executeTakeFirst()
  return row && toRequest(row)
}

export async function findRequestOfCall(db: Db, call: CallId): Promise<Request | undefined> {
  const row = await db.selectFrom('requests').selectAll().where('call_id', '=', call).executeTakeFirst()
  return row && toRequest(row)
}

/** Oldest first. */
export async function listRequests(
  db: Db,
  options: { state?: Request['state']; session?: SessionId; limit: number },
): Promise<Request[]> {
  let query = db.selectFrom('requests').selectAll().orderBy('asked_at').orderBy('id').limit(options.limit)
  if (options.state !== undefined) query = query.where('state', '=', sql.lit(options.state))
  if (options.session !== undefined) query = query.where('session_id', '=', options.session)
  return (await query.execute()).map(toRequest)
}

export const pendingRequests = (db: Db, session: SessionId): Promise<Request[]> =>
  listRequests(db, { state: 'pending', session, limit: 1000 })

/** How many requests wait in each session that has some. */
export async function countPending(db: Db): Promise<Map<SessionId, number>> {
  const rows = await db
    .selectFrom('requests')
    .select(({ fn }) => ['session_id', fn.countAll<number>().as('count')])
    .where('state', '=', sql.lit('pending'))
    .groupBy('session_id')
    .execute()
  return new Map(rows.map(({ session_id, count }) => [session_id, count]))
}

/** The compare-and-set that takes a decision once: false when it was taken already. */
export async function answerRequest(
  tx: Tx,
  id: RequestId,
  answer: ApprovalAnswer | QuestionAnswer,
  person: Person | undefined,
): Promise<boolean> {
  const taken = await tx.db
    .updateTable('requests')
    .set({
      state: 'answered',
      answer: JSON.stringify(answer),
      answered_by: person ? JSON.stringify(person) : null,
      answered_at: tx.now,
    })
    .where('id', '=', id)
    .where('state', '=', sql.lit('pending'))
    .returning('id')
    .executeTakeFirst()
  return taken !== undefined
}

export async function cancelRequest(tx: Tx, id: RequestId, person: Person | undefined): Promise<void> {
  await tx.db
    .updateTable('requests')
    .set({ state: 'cancelled', answered_by: person ? JSON.stringify(person) : null, answered_at: tx.now })
    .where('id', '=', id)
    .where('state', '=', sql.lit('pending'))
    .execute()
}

/** Pending questions whose deadline has passed. */
export async function overdueRequests(db: Db, now: number): Promise<Request[]> {
  const rows = await db
    .selectFrom('requests')
    .selectAll()
    .where('state', '=', sql.lit('pending'))
    .where('deadline_at', '<=', now)
    .execute()
  return rows.map(toRequest)
}
