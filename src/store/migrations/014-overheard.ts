import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'

/** Sentences that gave the reason so far. */
const reasons = [
  'It does not mention the bot, and this is not one of its threads.',
  'It does not mention the bot (access.threads is mentions).',
  'It is said to somebody else.',
  'It doesn’t mention the bot, and this isn’t one of its threads.',
  'It doesn’t mention the bot (access.threads is set to mentions).',
  'It’s addressed to somebody else.',
]

/** Whether a message that wasn't answered came from somebody who may use the bot. */
export async function up(db: Kysely<unknown>, { int }: Columns): Promise<void> {
  await sql.raw(`alter table ignored add column overheard ${int} not null default 0`).execute(db)
  await sql`update ignored set overheard = 1 where reason in (${sql.join(reasons)})`.execute(db)
}
