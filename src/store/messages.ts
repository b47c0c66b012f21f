import type { Person, WorkspaceFile } from '../domain/chat.ts'
import type { SessionId } from '../domain/ids.ts'
import type { Message, MessageOrigin } from '../domain/messages.ts'
import { takeNumbers } from './numbers.ts'
import type { MessageRow } from './schema.ts'
import type { Db, Tx } from './store.ts'

export type NewMessage = Message extends infer One ? (One extends Message ? Omit<One, 'seq' | 'at'> : never) : never

/** Appends to the session's history and returns the place, from 1. A second result for a call is refused by the database. */
export async function appendMessage(tx: Tx, session: SessionId, message: NewMessage): Promise<number> {
  const seq = await takeNumbers(tx, session, 'next_message')
  await tx.db
    .insertInto('messages')
    .values({
      session_id: session,
      seq,
      turn_id: message.turn,
      role: message.role,
      text: message.text,
      calls: message.role === 'assistant' && message.calls.length > 0 ? JSON.stringify(message.calls) : null,
      call_id: message.role === 'tool' ? message.call : null,
      person: message.role === 'user' && message.person ? JSON.stringify(message.person) : null,
      origin: message.role === 'user' ? message.origin : null,
      files: message.role === 'user' && message.files.length > 0 ? JSON.stringify(message.files) : null,
      created_at: tx.now,
    })
    .execute()
  return seq
}

/** The history, or its latest `limit` messages, `from` a number on, in order. */
export async function readMessages(
  db: Db,
  session: SessionId,
  { limit, from = 1 }: { limit?: number; from?: number } = {},
): Promise<Message[]> {
  let query = db
    .selectFrom('messages')
    .selectAll()
    .where('session_id', '=', session)
    .where('seq', '>=', from)
    .orderBy('seq', 'desc')
  if (limit !== undefined) query = query.limit(limit)
  return (await query.execute()).reverse().map(toMessage)
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

function toMessage(row: MessageRow): Message {
  const base = { seq: row.seq, turn: row.turn_id, at: row.created_at, text: row.text }
  if (row.role === 'assistant') return { ...base, role: 'assistant', calls: row.calls ? JSON.parse(row.calls) : [] }
  if (row.role === 'tool' && row.call_id !== null) return { ...base, role: 'tool', call: row.call_id }
  const person: Person | undefined = row.person ? JSON.parse(row.person) : undefined
  const files: WorkspaceFile[] = row.files ? JSON.parse(row.files) : []
  return { ...base, role: 'user', person, origin: (row.origin ?? 'person') as MessageOrigin, files }
}

/** Characters of the latest messages that the model would read. */
export async function lengthOfHistory(db: Db, session: SessionId, from: number, limit: number): Promise<number> {
  const messages = await readMessages(db, session, { from, limit })
  return messages.reduce((sum, { text }) => sum + text.length, 0)
}

/** What was said last in each session, by a person or the model. */
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
        .where('newest.text', '!=', ''),
    )
    .execute()
  return new Map(rows.map(({ session_id, text }) => [session_id, text]))
}

/** What a person said was edited or deleted. The latest message of theirs that says so is meant. */
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
  // What could not be taken in of its files stands below the words.
  const says = (text: string) => text === was || text.startsWith(`${was}\n\n`)
  const said = rows.find((row) => says(row.text) && row.person && JSON.parse(row.person).id === person.id)
  if (said === undefined || was === '') return
  const changed = { text: text + said.text.slice(was.length) }
  await tx.db
    .updateTable('messages')
    .set(changed)
    .where('session_id', '=', session)
    .where('seq', '=', said.seq)
    .execute()
}
