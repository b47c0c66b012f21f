import { expressionBuilder } from 'kysely'
import type { RequestId, SessionId } from '../domain/ids.ts'
import type { ApprovalAnswer, QuestionAnswer } from '../domain/question.ts'
import type { InboxPayload } from './inbox-event.ts'
import { field, listOf } from './json.ts'
import type { Tables } from './schema.ts'
import type { Db } from './store.ts'

/** The latest; in what was written before them, nothing is found. */
const mostTexts = 100

interface Search {
  sessions: SessionId[]
  /** In lower case. One of them has to be in it. */
  pieces: string[]
}

/** Whether a text has one of the pieces. */
function hasOne(column: 'inbox.payload' | 'requests.answer', pieces: string[]) {
  const eb = expressionBuilder<Tables, never>()
  const lower = eb.fn('lower', [eb.ref(column as never)])
  return eb.or(pieces.map((piece) => eb(eb.fn<number>('instr', [lower, eb.val(piece)]), '>', 0)))
}

/**
 * The texts that people wrote to the bot in these sessions themselves, whether it still remembers them or not: their
 * messages, without those that quote others or answer a question, and the alarms that they set with the command.
 * Nothing that another bot wrote.
 */
export async function writtenWith(db: Db, { sessions, pieces }: Search): Promise<string[]> {
  const rows = await db
    .selectFrom('inbox')
    .select('payload')
    .where('session_id', 'in', listOf(sessions))
    .where('kind', 'in', ['message', 'command'])
    // Only what has a piece is parsed.
    .where(hasOne('inbox.payload', pieces))
    .where((eb) => eb.or([eb('kind', '=', 'message'), eb(field('inbox.payload', '$.name'), '=', 'alarm')]))
    .where(field('inbox.payload', '$.quotesOthers'), 'is', null)
    .where(field('inbox.payload', '$.person.bot'), 'is', null)
    .where(field('inbox.payload', '$.earlier'), 'is', null)
    .where(field('inbox.payload', '$.note'), 'is', null)
    .where(field('inbox.payload', '$.task'), 'is', null)
    .where(field('inbox.payload', '$.answered'), 'is', null)
    .orderBy('created_at', 'desc')
    .limit(mostTexts)
    .execute()
  return rows.flatMap(({ payload }) => textsOf(JSON.parse(payload)))
}

function textsOf(payload: InboxPayload['message'] | InboxPayload['command']): string[] {
  if ('argument' in payload) return [payload.argument]
  return [payload.text, payload.words ?? '']
}

/** The requests that messages of a kind answer; `path`: where these say which. */
function answersIn(db: Db, sessions: SessionId[], kind: 'answer' | 'message', path: `$.${string}`) {
  const request = field('inbox.payload', path).$castTo<RequestId>()
  return db
    .selectFrom('inbox')
    .select(request.as('request'))
    .where('session_id', 'in', listOf(sessions))
    .where('kind', '=', kind)
    .where(request, 'is not', null)
}

/**
 * What people answered in these sessions. Without answers that quote others, and without those that came with files,
 * whose names stand in the answer and may be anybody's words.
 */
export async function answersWith(db: Db, { sessions, pieces }: Search): Promise<(ApprovalAnswer | QuestionAnswer)[]> {
  const quoting = answersIn(db, sessions, 'answer', '$.request').where(
    field('inbox.payload', '$.quotesOthers'),
    'is not',
    null,
  )
  const withOthers = answersIn(db, sessions, 'message', '$.answered').where((eb) =>
    eb.or([
      eb(field('inbox.payload', '$.files'), '!=', '[]'),
      // Perhaps only since it was edited.
      eb(field('inbox.payload', '$.quotesOthers'), 'is not', null),
    ]),
  )
  const rows = await db
    .selectFrom('requests')
    .select('answer')
    .where('session_id', 'in', listOf(sessions))
    .where('answered_by', 'is not', null)
    .where(hasOne('requests.answer', pieces))
    .where(field('requests.answered_by', '$.bot'), 'is', null)
    .where('id', 'not in', quoting)
    .where('id', 'not in', withOthers)
    .orderBy('answered_at', 'desc')
    .limit(mostTexts)
    .execute()
  return rows.flatMap(({ answer }) => (answer === null ? [] : [JSON.parse(answer)]))
}
