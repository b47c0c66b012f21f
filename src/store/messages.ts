import type { ExpressionBuilder } from 'kysely'
import type { Person, WorkspaceFile } from '../domain/chat.ts'
import type { CallId, SessionId, TurnId } from '../domain/ids.ts'
import type { Message, MessageOrigin, RequestSize } from '../domain/messages.ts'
import { silenceKept } from '../kit/model/silence.ts'
import { callsIn, callsText } from './message-calls.ts'
import { prepared, preparedRows } from './prepared.ts'
import type { MessageRow, Tables } from './schema.ts'
import type { Db, Tx } from './store.ts'

export type NewMessage = Message extends infer One ? (One extends Message ? Omit<One, 'seq' | 'at'> : never) : never

const insertRows = preparedRows('messages', [
  ...(['session_id', 'seq', 'turn_id', 'role', 'text', 'calls', 'call_id', 'person', 'origin', 'files'] as const),
  ...(['rounds', 'request_tokens', 'request_estimate', 'created_at'] as const),
])

/** Appends to the session's history, and returns what was stored. The database refuses a second result for a call. */
export async function appendMessage(tx: Tx, session: SessionId, message: NewMessage): Promise<Message> {
  const seq = await tx.ledger.take(session, 'next_message')
  const row: MessageRow = {
    session_id: session,
    seq,
    turn_id: message.turn,
    role: message.role,
    text: tx.mask(message.text),
    calls: message.role === 'assistant' ? callsText(message, tx.mask) : null,
    call_id: message.role === 'tool' ? message.call : null,
    person: message.role === 'user' && message.person ? JSON.stringify(message.person) : null,
    origin: originOf(message),
    files: message.role === 'user' && message.files.length > 0 ? JSON.stringify(message.files) : null,
    rounds: message.rounds ?? null,
    request_tokens: (message.role === 'assistant' && message.request?.tokens) || null,
    request_estimate: (message.role === 'assistant' && message.request?.estimate) || null,
    created_at: tx.now,
  }
  await insertRows(tx.db, [row])
  if (row.role !== 'user') tx.ledger.say(session, { seq, text: row.text, turn: row.turn_id })
  return toMessage(row)
}

/** What `rounds` is of a message that somebody went back before: no request has it any more. */
const undone = 0

/** As a limit. */
const all = Number.MAX_SAFE_INTEGER

const isCounted = ({ eb, or }: ExpressionBuilder<Tables, 'messages'>) =>
  or([eb('rounds', 'is', null), eb('rounds', '>', undone)])

type Range = { session: SessionId; from: number; to: number; limit: number }

const latest = prepared((db, { session, from, to, limit }: Range) =>
  db
    .selectFrom('messages')
    .selectAll()
    .where('session_id', '=', session)
    .where('seq', '>=', from)
    .where('seq', '<=', to)
    .where(isCounted)
    .orderBy('seq', 'desc')
    .limit(limit),
)

/** The history between two numbers, or the latest `limit` messages of it, in order. Without what was undone. */
export async function readMessages(
  db: Db,
  session: SessionId,
  { limit = all, from = 1, to = all }: { limit?: number; from?: number; to?: number } = {},
): Promise<Message[]> {
  return (await latest(db, { session, from, to, limit })).reverse().map(toMessage)
}

const asking = prepared((db, { session, from }: { session: SessionId; from: number }) =>
  db
    .selectFrom('messages')
    .selectAll()
    .where('session_id', '=', session)
    .where('origin', 'in', ['person', 'alarm', 'task'])
    .where('seq', '>=', from)
    .where(isCounted)
    .orderBy('seq', 'desc')
    .limit(1),
)

/** The latest message of a person or an alarm, or the task of a child session. */
export async function latestAsking(db: Db, session: SessionId, from = 1): Promise<Message | undefined> {
  const [row] = await asking(db, { session, from })
  return row && toMessage(row)
}

const sincePerson = prepared((db, { session }: { session: SessionId }) =>
  db
    .selectFrom('messages')
    .select(['role', 'origin'])
    .where('session_id', '=', session)
    .where('seq', '>', ({ selectFrom, fn, val }) =>
      selectFrom('messages')
        .select(({ eb }) => fn.coalesce(eb.fn.max('seq'), val(0)).as('seq'))
        .where('session_id', '=', session)
        .where('origin', '=', 'person'),
    ),
)

/**
 * How often each plug-in has asked for another round since a person's latest message, and whether tools were called.
 */
export async function roundsSincePerson(db: Db, session: SessionId) {
  const rows = await sincePerson(db, { session })
  return {
    of: (plugin: string) => rows.filter(({ origin }) => origin === `plugin:${plugin}`).length,
    withCalls: rows.some(({ role }) => role === 'tool'),
  }
}

const ofProgram = 'program'

function originOf(message: NewMessage): string | null {
  if (message.role === 'user') return message.origin
  return message.role === 'tool' && message.program === true ? ofProgram : null
}

function toMessage(row: MessageRow): Message {
  const rounds = row.rounds === null ? {} : { rounds: row.rounds }
  const base = { seq: row.seq, turn: row.turn_id, at: row.created_at, text: row.text, ...rounds }
  if (row.role === 'assistant') return { ...base, role: 'assistant', ...callsIn(row.calls), ...requestOf(row) }
  if (row.role === 'tool' && row.call_id !== null)
    return { ...base, role: 'tool', call: row.call_id, program: row.origin === ofProgram }
  const person: Person | undefined = row.person ? JSON.parse(row.person) : undefined
  const files: WorkspaceFile[] = row.files ? JSON.parse(row.files) : []
  return { ...base, role: 'user', person, origin: (row.origin ?? 'person') as MessageOrigin, files }
}

function requestOf({ request_tokens, request_estimate }: MessageRow): { request?: RequestSize } {
  if (request_estimate === null) return {}
  return { request: { estimate: request_estimate, ...(request_tokens !== null && { tokens: request_tokens }) } }
}

/** The last thing a person or the model said in each session. */
export async function latestWords(db: Db, sessions: SessionId[]): Promise<Map<SessionId, string>> {
  if (sessions.length === 0) return new Map()
  const rows = await db
    .selectFrom('messages')
    .select(['session_id', 'text'])
    .where('session_id', 'in', sessions)
    .where('seq', '=', ({ selectFrom }) =>
      selectFrom('messages as newest')
        .select(({ fn }) => fn.max('newest.seq').as('seq'))
        .whereRef('newest.session_id', '=', 'messages.session_id')
        .where('newest.role', '!=', 'tool')
        .where('newest.text', 'not in', ['', silenceKept]),
    )
    .execute()
  return new Map(rows.map(({ session_id, text }) => [session_id, text]))
}

/** A person's words, and the turn that read them, or ended before it could. */
interface Said {
  turn: TurnId
  person: Person
  text: string
}

/**
 * What a person said was edited or deleted. Changes the message that has these words, and returns its number. `words`:
 * what plug-ins may have made of them.
 */
export async function rewriteMessage(
  tx: Tx,
  session: SessionId,
  said: Said & { words?: string | undefined },
  text: string,
): Promise<number | undefined> {
  const rows = await tx.db
    .selectFrom('messages')
    .select(['seq', 'text', 'person', 'turn_id'])
    .where('session_id', '=', session)
    .where('origin', 'in', ['person', 'answer', 'earlier'])
    .orderBy('seq')
    .execute()
  const known = [said.words, said.text].flatMap((words) => (words ? [tx.mask(words)] : []))
  const own = rows.filter(isOf(said.person))
  const found = readBy(own, said.turn, (rows) => known.map(restIn(rows)).find((one) => one !== undefined))
  if (found === undefined) return undefined
  await rewriteText(tx, session, found.seq, tx.mask(text) + found.rest)
  return found.seq
}

/** Changes a note of the program that a turn read, or ended before it could, and returns its number. */
export async function rewriteNote(
  tx: Tx,
  session: SessionId,
  { turn, note }: { turn: TurnId; note: string },
  text: string,
): Promise<number | undefined> {
  const row = await tx.db
    .selectFrom('messages')
    .select('seq')
    .where('session_id', '=', session)
    .where('turn_id', '>=', turn)
    .where('origin', '=', 'note')
    .where('text', '=', tx.mask(note))
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  if (row !== undefined) await rewriteText(tx, session, row.seq, tx.mask(text))
  return row?.seq
}

/** Changes what the result of a call says, if it says `was`, and returns the number of its message. */
export async function rewriteResult(
  tx: Tx,
  session: SessionId,
  call: CallId,
  was: string,
  text: string,
): Promise<number | undefined> {
  const row = await tx.db
    .selectFrom('messages')
    .select(['seq', 'text'])
    .where('session_id', '=', session)
    .where('call_id', '=', call)
    .executeTakeFirst()
  const known = tx.mask(was)
  if (!row?.text.includes(known)) return undefined
  const result = row.text.replace(known, () => tx.mask(text))
  await rewriteText(tx, session, row.seq, result)
  await tx.db.updateTable('calls').set({ result }).where('id', '=', call).execute()
  return row.seq
}

async function rewriteText(tx: Tx, session: SessionId, seq: number, text: string): Promise<void> {
  await tx.db.updateTable('messages').set({ text }).where('session_id', '=', session).where('seq', '=', seq).execute()
}

/** What a turn ended before it could read, a later one has read. */
const readBy = <Row extends Pick<MessageRow, 'turn_id'>, Found>(
  rows: Row[],
  turn: TurnId,
  pick: (rows: Row[]) => Found | undefined,
): Found | undefined =>
  pick(rows.filter((row) => row.turn_id === turn)) ?? pick(rows.filter((row) => row.turn_id > turn))

const isOf =
  ({ id }: Person) =>
  (row: Pick<MessageRow, 'person'>): boolean =>
    row.person !== null && JSON.parse(row.person).id === id

/** Notes, such as about files that couldn't be downloaded, may follow them. */
const withWords = <Row extends Pick<MessageRow, 'text'>>(rows: Row[], words: string): Row | undefined =>
  rows.find(({ text }) => text === words) ?? rows.find(({ text }) => text.startsWith(`${words}\n\n`))

/** The message with these words, and what follows them. */
const restIn =
  (rows: Pick<MessageRow, 'seq' | 'text'>[]) =>
  (words: string): { seq: number; rest: string } | undefined => {
    const row = withWords(rows, words)
    return row && { seq: row.seq, rest: row.text.slice(words.length) }
  }

/** Where a person's message stands in the history, by its text and the turn that read it, or ended before it could. */
export async function placeOfMessage(
  tx: Tx,
  session: SessionId,
  { turn, person, text }: Said,
): Promise<number | undefined> {
  const rows = await tx.db
    .selectFrom('messages')
    .select(['seq', 'text', 'person', 'turn_id', 'rounds'])
    .where('session_id', '=', session)
    .where('turn_id', '>=', turn)
    .where('origin', '=', 'person')
    .orderBy('seq')
    .execute()
  const own = rows.filter(isOf(person))
  const known = tx.mask(text)
  // Plug-ins may have changed its words.
  const message = readBy(own, turn, (rows) => withWords(rows, known) ?? rows.find((row) => row.text.startsWith(known)))
  const found = message ?? own.find((row) => row.turn_id === turn)
  // One that was gone back to isn't mistaken for a later one with the same words.
  return found === undefined || (found.rounds !== null && found.rounds <= undone) ? undefined : found.seq
}

/** No request has these messages any more, and no later one. They stay stored. */
export async function undoFrom(tx: Tx, session: SessionId, seq: number): Promise<void> {
  await tx.db
    .updateTable('messages')
    .set({ rounds: undone })
    .where('session_id', '=', session)
    .where('seq', '>=', seq)
    .execute()
}
