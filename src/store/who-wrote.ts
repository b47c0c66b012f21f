import type { Person } from '../domain/chat.ts'
import type { SessionId, TurnId } from '../domain/ids.ts'
import type { InboxPayload } from './inbox-event.ts'
import { field, listOf } from './json.ts'
import { updateLagMs } from './ledger.ts'
import { turnsThatReadQuotes } from './quoting.ts'
import type { ProjectRef, Session } from './sessions.ts'
import type { Db } from './store.ts'
import { turnsContinued } from './turns-behind.ts'

/** No index knows a message's turn, so each query also names the session. */
type TurnsOf = { session: SessionId; turns: TurnId[] }

const readBy = (db: Db, { session, turns }: TurnsOf) =>
  db.selectFrom('messages').where('session_id', '=', session).where('turn_id', 'in', listOf(turns))

/** The people whose messages some turns have read, including edited ones and alarms, each once. */
export const writersOf = (db: Db, read: TurnsOf): Promise<Person[]> =>
  people(readBy(db, read).select('person').distinct().where('origin', 'in', ['person', 'note', 'alarm']))

/** The people whose answers some turns have read as messages, which may have answered earlier ones. */
export const namersOf = (db: Db, read: TurnsOf): Promise<Person[]> =>
  people(readBy(db, read).select('person').distinct().where('origin', '=', 'answer'))

/** What people said in the messages that a turn, or one that it continues, has read. */
export async function wordsOfTurn(db: Db, { id, session }: { id: TurnId; session: SessionId }): Promise<string> {
  const said = readBy(db, { session, turns: await turnsContinued(db, { session, turn: id }) })
    .select('text')
    .where('origin', '=', 'person')
  return (await said.orderBy('seq').execute()).map(({ text }) => text).join('\n')
}

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
    .select(field('inbox.payload', '$.person').as('person'))
    .distinct()
    .where('inbox.session_id', '=', id)
    .where('events.type', '=', 'message')
    .where(field('events.data', '$.person.id'), '=', field('inbox.payload', '$.person.id'))
  const notAnswered = db
    .selectFrom('ignored')
    .select('person')
    .distinct()
    .where('platform', '=', thread.platform)
    .where('tenant', '=', thread.tenant)
    .where('project', '=', thread.project)
    .where('thread', '=', thread.thread)
    .where('overheard', '=', 1)
  const all = await people(said.unionAll(notAnswered))
  return all.filter(({ bot }) => bot !== true)
}

/**
 * How many messages of one author were accepted in a channel since then, without those read only for context. One that
 * is read as well as an answer has a row as an answer, too.
 */
export async function countOfAuthor(db: Db, project: ProjectRef, person: string, since: number): Promise<number> {
  const rows = await db
    .selectFrom('inbox')
    .innerJoin('sessions', 'sessions.id', 'inbox.session_id')
    .select('inbox.payload')
    .where('sessions.platform', '=', project.platform)
    .where('sessions.tenant', '=', project.tenant)
    .where('sessions.project', '=', project.project)
    .where('sessions.updated_at', '>=', since - updateLagMs)
    .where('inbox.kind', 'in', ['message', 'answer', 'command'])
    .where('inbox.created_at', '>=', since)
    .execute()
  const said = rows.map(({ payload }): Partial<InboxPayload['message']> => JSON.parse(payload))
  return said.filter(
    ({ person: { id } = {}, earlier, note, answered }) =>
      id === person && earlier === undefined && note === undefined && answered === undefined,
  ).length
}

async function people(query: { execute(): Promise<{ person: string | null }[]> }): Promise<Person[]> {
  const rows = await query.execute()
  const all = rows.flatMap(({ person }): Person[] => (person ? [JSON.parse(person)] : []))
  return [...new Map(all.map((person) => [person.id, person])).values()]
}

/** Set if a message is of another bot, whose words may be anybody's. */
const botOf = field('messages.person', '$.bot')

/**
 * The latest texts in these sessions' histories that contain a piece of text: what people wrote or quoted, except in
 * answers, what other bots said, and the results of these tools. They contain nothing the model wrote itself.
 */
export async function textsWith(
  db: Db,
  piece: string,
  where: { sessions: SessionId[]; tools: string[] },
): Promise<string[]> {
  const rows = await db
    .selectFrom('messages')
    .innerJoin('sessions', 'sessions.id', 'messages.session_id')
    .leftJoin('calls', 'calls.id', 'messages.call_id')
    .select('messages.text')
    .where('messages.session_id', 'in', listOf(where.sessions))
    .whereRef('messages.seq', '>=', 'sessions.history_from')
    .where((eb) => eb(eb.fn<number>('instr', ['messages.text', eb.val(piece)]), '>', 0))
    .where((eb) =>
      eb.or([
        eb('messages.origin', '=', 'person'),
        eb.and([
          eb('calls.tool', 'in', ['', ...where.tools]),
          eb('calls.state', '=', 'done'),
          eb(eb.fn<number>('instr', ['calls.arguments', eb.val(piece)]), '=', 0),
        ]),
      ]),
    )
    .orderBy('messages.created_at', 'desc')
    .orderBy('messages.seq', 'desc')
    .limit(20)
    .execute()
  return rows.map(({ text }) => text)
}

/**
 * Where others' text came with a message: from earlier messages of the thread, from other bots, from files, or from
 * quotes.
 */
export async function othersWords(
  db: Db,
  where: { session: SessionId; from: number; turns: TurnId[] | undefined },
): Promise<string | undefined> {
  let query = db
    .selectFrom('messages')
    .select(['origin', 'files', botOf.as('bot')])
    .where('session_id', '=', where.session)
    .where('seq', '>=', where.from)
    .where((eb) =>
      eb.or([
        eb('origin', '=', 'earlier'),
        eb(botOf, 'is not', null),
        eb('files', 'is not', null),
        eb('turn_id', 'in', turnsThatReadQuotes(where.session)),
      ]),
    )
    .orderBy('seq', 'desc')
    .limit(1)
  if (where.turns !== undefined) query = query.where('turn_id', 'in', listOf(where.turns))
  const row = await query.executeTakeFirst()
  if (row === undefined) return undefined
  if (row.origin === 'earlier') return 'what was said here before'
  if (row.bot !== null) return 'what another bot said'
  return row.files === null ? 'a forwarded or quoted message' : 'a file that was sent'
}
