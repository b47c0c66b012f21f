import { sql } from 'kysely'
import { overheard, type Person, type WorkspaceFile } from '../domain/chat.ts'
import type { SessionId, TurnId } from '../domain/ids.ts'
import type { Message, MessageOrigin } from '../domain/messages.ts'
import { silenceKept } from '../kit/model/silence.ts'
import { prepared, preparedRows } from './prepared.ts'
import type { MessageRow } from './schema.ts'
import type { Session } from './sessions.ts'
import type { Db, Tx } from './store.ts'

export type NewMessage = Message extends infer One ? (One extends Message ? Omit<One, 'seq' | 'at'> : never) : never

const insertRows = preparedRows('messages', [
  ...(['session_id', 'seq', 'turn_id', 'role', 'text', 'calls', 'call_id', 'person', 'origin', 'files'] as const),
  ...(['rounds', 'created_at'] as const),
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
    calls: message.role === 'assistant' && message.calls.length > 0 ? JSON.stringify(message.calls) : null,
    call_id: message.role === 'tool' ? message.call : null,
    person: message.role === 'user' && message.person ? JSON.stringify(message.person) : null,
    origin: originOf(message),
    files: message.role === 'user' && message.files.length > 0 ? JSON.stringify(message.files) : null,
    rounds: message.rounds ?? null,
    created_at: tx.now,
  }
  await insertRows(tx.db, [row])
  return toMessage(row)
}

const latest = prepared((db, { session, from, limit }: { session: SessionId; from: number; limit: number }) =>
  db
    .selectFrom('messages')
    .selectAll()
    .where('session_id', '=', session)
    .where('seq', '>=', from)
    .orderBy('seq', 'desc')
    .limit(limit),
)

/** The history from a number on, or its latest `limit` messages, in order. */
export async function readMessages(
  db: Db,
  session: SessionId,
  { limit, from = 1 }: { limit?: number; from?: number } = {},
): Promise<Message[]> {
  return (await latest(db, { session, from, limit: limit ?? -1 })).reverse().map(toMessage)
}

/** The latest message of a person or an alarm. */
export async function latestAsking(db: Db, session: SessionId, from = 1): Promise<Message | undefined> {
  const row = await db
    .selectFrom('messages')
    .selectAll()
    .where('session_id', '=', session)
    .where('origin', 'in', ['person', 'alarm'])
    .where('seq', '>=', from)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toMessage(row)
}

/** How often each plug-in has asked for another round since a person's latest message, and whether tools were called. */
export async function roundsSincePerson(db: Db, session: SessionId) {
  const rows = await db
    .selectFrom('messages')
    .select(['role', 'origin'])
    .where('session_id', '=', session)
    .where('seq', '>', ({ selectFrom, fn, val }) =>
      selectFrom('messages')
        .select(({ eb }) => fn.coalesce(eb.fn.max('seq'), val(0)).as('seq'))
        .where('session_id', '=', session)
        .where('origin', '=', 'person'),
    )
    .execute()
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
  if (row.role === 'assistant') return { ...base, role: 'assistant', calls: row.calls ? JSON.parse(row.calls) : [] }
  if (row.role === 'tool' && row.call_id !== null)
    return { ...base, role: 'tool', call: row.call_id, program: row.origin === ofProgram }
  const person: Person | undefined = row.person ? JSON.parse(row.person) : undefined
  const files: WorkspaceFile[] = row.files ? JSON.parse(row.files) : []
  return { ...base, role: 'user', person, origin: (row.origin ?? 'person') as MessageOrigin, files }
}

/** Characters of the latest messages the model would read. */
export async function lengthOfHistory(db: Db, session: SessionId, from: number, limit: number): Promise<number> {
  const messages = await readMessages(db, session, { from, limit })
  return messages.reduce((sum, { text }) => sum + text.length, 0)
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

/** What a person said was edited or deleted. Changes their latest message with that text. */
export async function rewriteMessage(
  tx: Tx,
  session: SessionId,
  { person, was, text }: { person: Person; was: string; text: string },
): Promise<void> {
  const rows = await tx.db
    .selectFrom('messages')
    .select(['seq', 'text', 'person'])
    .where('session_id', '=', session)
    .where('origin', 'in', ['person', 'earlier'])
    .orderBy('seq', 'desc')
    .execute()
  // Notes about files that couldn't be downloaded follow the text.
  const known = tx.mask(was)
  const says = (text: string) => text === known || text.startsWith(`${known}\n\n`)
  const said = rows.find((row) => says(row.text) && row.person && JSON.parse(row.person).id === person.id)
  if (said === undefined || was === '') return
  const changed = { text: tx.mask(text) + said.text.slice(known.length) }
  await tx.db
    .updateTable('messages')
    .set(changed)
    .where('session_id', '=', session)
    .where('seq', '=', said.seq)
    .execute()
}

/** The people whose messages a turn has read, including edited ones, each once. */
export const writersOf = (db: Db, turn: TurnId): Promise<Person[]> =>
  people(
    db
      .selectFrom('messages')
      .select('person')
      .distinct()
      .where('turn_id', '=', turn)
      .where('origin', 'in', ['person', 'note']),
  )

/**
 * The people who have written in a session's thread, each once, whether or not the bot read it. Without people whom the
 * access rules exclude, other bots, and those who wrote only before the bot was mentioned.
 */
export async function participantsOf(db: Db, { id, thread }: Pick<Session, 'id' | 'thread'>): Promise<Person[]> {
  // Clicks are stored there too, but nobody said anything with them.
  const said = db
    .selectFrom('inbox')
    .innerJoin('events', (join) =>
      join.onRef('events.session_id', '=', 'inbox.session_id').onRef('events.id', '=', 'inbox.event_id'),
    )
    .select(sql<string | null>`inbox.payload ->> 'person'`.as('person'))
    .distinct()
    .where('inbox.session_id', '=', id)
    .where('events.type', '=', 'message')
    .where(sql<boolean>`events.data -> 'person' ->> 'id' = inbox.payload -> 'person' ->> 'id'`)
  const notAnswered = db
    .selectFrom('ignored')
    .select('person')
    .distinct()
    .where('platform', '=', thread.platform)
    .where('tenant', '=', thread.tenant)
    .where('project', '=', thread.project)
    .where('thread', '=', thread.thread)
    .where('reason', 'in', Object.values(overheard))
  const all = await people(said.unionAll(notAnswered))
  return all.filter(({ bot }) => bot !== true)
}

async function people(query: { execute(): Promise<{ person: string | null }[]> }): Promise<Person[]> {
  const rows = await query.execute()
  const all = rows.flatMap(({ person }): Person[] => (person ? [JSON.parse(person)] : []))
  return [...new Map(all.map((person) => [person.id, person])).values()]
}

/**
 * Texts that contain a piece of text: of people, and results of these tools, which contain nothing the model wrote
 * itself.
 */
export async function textsWith(
  db: Db,
  piece: string,
  where: { session: SessionId; from: number; tools: string[] },
): Promise<string[]> {
  const rows = await db
    .selectFrom('messages')
    .leftJoin('calls', 'calls.id', 'messages.call_id')
    .select('messages.text')
    .where('messages.session_id', '=', where.session)
    .where('messages.seq', '>=', where.from)
    .where(sql<boolean>`instr(messages.text, ${piece}) > 0`)
    .where((eb) =>
      eb.or([
        eb('messages.origin', '=', 'person'),
        eb.and([
          eb('calls.tool', 'in', ['', ...where.tools]),
          eb('calls.state', '=', 'done'),
          sql<boolean>`instr(calls.arguments, ${piece}) = 0`,
        ]),
      ]),
    )
    .limit(20)
    .execute()
  return rows.map(({ text }) => text)
}

/** Where other people's text came with a message: from earlier messages of the thread, or from files. */
export async function othersWords(
  db: Db,
  where: { session: SessionId; from: number; turn: TurnId | undefined },
): Promise<string | undefined> {
  let query = db
    .selectFrom('messages')
    .select('origin')
    .where('session_id', '=', where.session)
    .where('seq', '>=', where.from)
    .where((eb) => eb.or([eb('origin', '=', 'earlier'), eb('files', 'is not', null)]))
    .orderBy('seq', 'desc')
    .limit(1)
  if (where.turn !== undefined) query = query.where('turn_id', '=', where.turn)
  const row = await query.executeTakeFirst()
  if (row === undefined) return undefined
  return row.origin === 'earlier' ? 'what was said here before' : 'a file that was sent'
}
