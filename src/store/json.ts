import { expressionBuilder, sql } from 'kysely'
import type { Tables } from './schema.ts'

/** A field of a text that is JSON, by a path such as `$.person.id`: what isn't text is JSON again. */
export function field(column: string, path: `$.${string}`) {
  const eb = expressionBuilder<Tables, never>()
  return eb.fn<string | null>('json_extract', [sql.ref(column), eb.val(path)])
}

/** The values for SQL's `in`, as one parameter: there may be more than a statement takes. */
export function listOf<Value extends string>(values: Value[]) {
  const eb = expressionBuilder<Tables, never>()
  return sql<Value>`(select value from ${eb.fn('json_each', [eb.val(JSON.stringify(values))])})`
}
