import { expressionBuilder } from 'kysely'
import type { SessionId } from '../domain/ids.ts'
import { field } from './json.ts'
import type { Tables } from './schema.ts'

/**
 * The turns of a session that have read a message, or an answer, which quotes others. What one that didn't get to its
 * end may have left unread was read by the next one.
 */
export const turnsThatReadQuotes = (session: SessionId) =>
  expressionBuilder<Tables, never>()
    .selectFrom('inbox')
    .innerJoin('turns as own', 'own.id', 'inbox.turn_id')
    .innerJoin('turns as reader', 'reader.session_id', 'own.session_id')
    .select('reader.id')
    .where('inbox.session_id', '=', session)
    .where(field('inbox.payload', '$.quotesOthers'), 'is not', null)
    .where((eb) => {
      const next = eb
        .selectFrom('turns as later')
        .select(({ fn }) => fn.min('later.started_at').as('at'))
        .whereRef('later.session_id', '=', 'own.session_id')
        .whereRef('later.started_at', '>', 'own.started_at')
      const isNext = eb.and([eb('own.state', '!=', 'done'), eb('reader.started_at', '=', next)])
      return eb.or([eb('reader.id', '=', eb.ref('own.id')), isNext])
    })
