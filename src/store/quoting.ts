import { expressionBuilder } from 'kysely'
import type { SessionId } from '../domain/ids.ts'
import { field } from './json.ts'
import type { Tables } from './schema.ts'

/** The turns of a session that have read a message, or an answer, which quotes others. */
export const turnsThatReadQuotes = (session: SessionId) =>
  expressionBuilder<Tables, never>()
    .selectFrom('inbox')
    .select('inbox.turn_id')
    .where('inbox.session_id', '=', session)
    .where('inbox.turn_id', 'is not', null)
    .where(field('inbox.payload', '$.quotesOthers'), 'is not', null)
