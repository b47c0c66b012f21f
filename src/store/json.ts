import { type ExpressionWrapper, expressionBuilder, sql } from 'kysely'
import type { Tables } from './schema.ts'

/** A field of a text that is JSON, by a path such as `$.person.id`: what isn't text is JSON again. */
export const field = (column: string, path: `$.${string}`): ExpressionWrapper<Tables, never, string | null> =>
  expressionBuilder<Tables, never>().fn<string | null>('json_extract', [sql.ref(column), sql.lit(path)])
