import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

/** Words are found without their accents on PostgreSQL too. The version before reads every message when it searches. */
export async function up(db: Kysely<unknown>, { inPostgres }: Columns): Promise<void> {
  for (const statement of inPostgres(
    'drop index words_of_messages',
    `create index words_of_messages on messages
    using gin (to_tsvector('simple', translate(normalize(regexp_replace(normalize(left(text, 50000), NFD),
      '([A-Za-z])[\\u0300-\\u0331]+', '\\1', 'g'), NFC), './:@_#-', '       ')))
    where (role = 'assistant' or origin in ('person', 'alarm', 'earlier'))`,
  ))
    await sql.raw(statement).execute(db)
}
