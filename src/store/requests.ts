import { sql } from 'kysely'
import type { Person } from '../domain/chat.ts'
import { type CallId, newId, type RequestId, type SessionId, type TurnId } from '../domain/ids.ts'
import type { ApprovalAnswer, Question, QuestionAnswer, Vote } from '../domain/question.ts'
import type { Asked, DecidedBy, Request } from '../domain/request.ts'
import { childrenOf } from './children.ts'
import { listOf } from './json.ts'
import type { NextAt } from './next-at.ts'
import { prepared } from './prepared.ts'
import type { Db, Tx } from './store.ts'
import type { RequestRow } from './trust-rows.ts'

/** Oldest votes first, as JSON, so that one query reads a request. */
const votes = sql<string | null>`(
  select string_agg('{"at":' || at || ',"person":' || person || '}', ',' order by at, person_id)
  from votes where request_id = requests.id)`.as('votes')

type Row = RequestRow & { votes: string | null }

function toVotes(stored: string | null): Vote[] {
  const votes: { at: number; person: Person & { operator?: boolean } }[] = JSON.parse(`[${stored ?? ''}]`)
  return votes.map(({ at, person: { operator, ...person } }) => ({ person, at }))
}

export const toRequest = (row: Row): Request =>
  ({
    id: row.id,
    session: row.session_id,
    turn: row.turn_id,
    call: row.call_id,
    hash: row.arguments_hash,
    state: row.state,
    askedAt: row.asked_at,
    deadlineAt: row.deadline_at ?? undefined,
    remindAt: row.remind_at ?? undefined,
    reminded: row.reminded,
    votes: toVotes(row.votes),
    answeredBy: row.answered_by ? JSON.parse(row.answered_by) : undefined,
    answeredAt: row.answered_at ?? undefined,
    kind: row.kind,
    payload: JSON.parse(row.payload),
    decided: row.decided ? JSON.parse(row.decided) : undefined,
    answer: row.answer ? JSON.parse(row.answer) : undefined,
    // The columns hold what insertRequest and answerRequest were given for this kind.
  }) as Request

/** Reads requests with their votes. */
export const requests = (db: Db) => db.selectFrom('requests').selectAll('requests').select(votes)

export type NewRequest = Asked &
  Pick<Request, 'session' | 'turn' | 'call' | 'hash'> & { deadlineAt?: number; remindAt?: number }

export async function insertRequest(tx: Tx, request: NewRequest): Promise<Request> {
  const id = newId('req', tx.now)
  await tx.db
    .insertInto('requests')
    .values({
      id,
      session_id: request.session,
      turn_id: request.turn,
      call_id: request.call,
      kind: request.kind,
      payload: JSON.stringify(tx.mask(request.payload)),
      arguments_hash: request.hash,
      decided: request.kind === 'approval' ? JSON.stringify(request.decided) : null,
      state: 'pending',
      asked_at: tx.now,
      deadline_at: request.deadlineAt ?? null,
      remind_at: request.remindAt ?? null,
      reminded: 0,
    })
    .execute()
  return readRequest(tx.db, id)
}

export async function findRequest(db: Db, id: string): Promise<Request | undefined> {
  const row = await requests(db)
    .where('id', '=', id as RequestId)
    .executeTakeFirst()
  return row && toRequest(row)
}

async function readRequest(db: Db, id: RequestId): Promise<Request> {
  return toRequest(await requests(db).where('id', '=', id).executeTakeFirstOrThrow())
}

const ofCall = prepared((db, { call }: { call: CallId }) =>
  requests(db).where('call_id', '=', call).orderBy('asked_at', 'desc').orderBy('id', 'desc'),
)

/** A call's latest approval, loop question or question. */
export async function findRequestOfCall(db: Db, call: CallId, kinds: Request['kind'][]): Promise<Request | undefined> {
  const row = (await ofCall(db, { call })).find(({ kind }) => kinds.includes(kind))
  return row && toRequest(row)
}

/** What calls with these arguments asked in a turn, and in the child sessions that work for it. */
export async function requestsAlike(
  db: Db,
  { session, turn }: { session: SessionId; turn: TurnId },
  hash: string,
): Promise<Request[]> {
  const sessions = [session, ...(await childrenOf(db, session, [turn]))]
  const rows = await requests(db).where('session_id', 'in', sessions).where('arguments_hash', '=', hash).execute()
  return rows.map(toRequest).filter((one) => one.session !== session || one.turn === turn)
}

/** Takes a decision once; false when it was already taken. */
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
      answer: JSON.stringify(tx.mask(answer)),
      answered_by: person ? JSON.stringify(person) : null,
      answered_at: tx.now,
    })
    .where('id', '=', id)
    .where('state', '=', sql.lit('pending'))
    .returning('id')
    .executeTakeFirst()
  return taken !== undefined
}

/** The message that answered it was edited or deleted. */
export async function rewriteAnswer(tx: Tx, id: RequestId, answer: QuestionAnswer): Promise<void> {
  await tx.db
    .updateTable('requests')
    .set({ answer: JSON.stringify(tx.mask(answer)) })
    .where('id', '=', id)
    .execute()
}

/** False when this person has already voted. */
export async function insertVote(tx: Tx, request: RequestId, person: Person, operator: boolean): Promise<boolean> {
  const voter = JSON.stringify({ ...person, ...(operator && { operator }) })
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('votes')
    .values({ request_id: request, person_id: person.id, person: voter, at: tx.now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Who has voted, and whether as the operator. */
export async function votersOf(db: Db, request: RequestId): Promise<{ person: Person; operator: boolean }[]> {
  const rows = await db.selectFrom('votes').select('person').where('request_id', '=', request).execute()
  return rows.map((row) => {
    const { operator = false, ...person } = JSON.parse(row.person)
    return { person, operator }
  })
}

/** Removes the votes of people who may no longer decide. */
export async function dropVotes(tx: Tx, request: RequestId, people: string[]): Promise<void> {
  if (people.length === 0) return
  await tx.db.deleteFrom('votes').where('request_id', '=', request).where('person_id', 'in', people).execute()
}

/** Stores who decides or answers, and when the next reminder is due. False when the request was already decided. */
export async function moveRequest(
  tx: Tx,
  request: Request,
  {
    decided,
    payload,
    remindAt,
    deadlineAt,
  }: { decided?: DecidedBy; payload?: Question; remindAt: number | undefined; deadlineAt?: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('requests')
    .set({
      ...(decided && { decided: JSON.stringify(decided) }),
      ...(payload && { payload: JSON.stringify(payload) }),
      ...(deadlineAt !== undefined && { deadline_at: deadlineAt }),
      remind_at: remindAt ?? null,
      reminded: request.reminded + 1,
    })
    .where('id', '=', request.id)
    .where('state', '=', sql.lit('pending'))
    .where('reminded', '=', request.reminded)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function cancelRequest(tx: Tx, id: RequestId, person: Person | undefined): Promise<void> {
  await tx.db
    .updateTable('requests')
    .set({ state: 'cancelled', answered_by: person ? JSON.stringify(person) : null, answered_at: tx.now })
    .where('id', '=', id)
    .where('state', '=', sql.lit('pending'))
    .execute()
}

/** Pending requests whose deadline has passed. */
export async function overdueRequests(db: Db, now: number): Promise<Request[]> {
  const rows = await requests(db).where('state', '=', sql.lit('pending')).where('deadline_at', '<=', now).execute()
  return rows.map(toRequest)
}

export const nextReminder: NextAt = sql`select min(remind_at) from requests where state = 'pending'`

/** Pending requests that are due for a reminder, unless their deadline has passed. */
export async function requestsToMove(db: Db, now: number): Promise<Request[]> {
  const rows = await requests(db)
    .where('state', '=', sql.lit('pending'))
    .where('remind_at', '<=', now)
    .where((eb) => eb.or([eb('deadline_at', 'is', null), eb('deadline_at', '>', now)]))
    .execute()
  return rows.map(toRequest)
}

/** The words of what people have answered in a turn, as they are now: they may have changed or deleted them since. */
export async function answersIn(db: Db, session: SessionId, turn: TurnId): Promise<string[]> {
  const rows = await requests(db)
    .where('session_id', '=', session)
    .where('turn_id', '=', turn)
    .where('state', '=', 'answered')
    .execute()
  return rows.map(toRequest).flatMap(({ kind, answer }) => (kind === 'approval' || !answer ? [] : answer.text))
}

/** The people whose answers became part of some turns, or of child sessions of them. */
export async function answerersOf(db: Db, session: SessionId, turns: TurnId[]): Promise<Person[]> {
  const children = await childrenOf(db, session, turns)
  const rows = await requests(db)
    .where('call_id', 'in', ({ selectFrom }) =>
      selectFrom('calls')
        .select('calls.id')
        .where('session_id', 'in', listOf([session, ...children])),
    )
    .where(({ eb, or }) => or([eb('turn_id', 'in', listOf(turns)), eb('session_id', '!=', session)]))
    .where('state', '=', 'answered')
    .execute()
  return rows.map(toRequest).flatMap(({ kind, answer, answeredBy }) => {
    const hasWords = kind !== 'approval' || (answer !== undefined && ('reason' in answer || 'instead' in answer))
    return hasWords && answeredBy !== undefined ? [answeredBy] : []
  })
}
