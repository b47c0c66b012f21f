import { sql } from 'kysely'
import type { Person } from '../domain/chat.ts'
import { updateLagMs } from './ledger.ts'
import type { Db } from './store.ts'

/** How the JSON of a person begins; what is found has still to be compared, since some characters stand for any. */
export const personPattern = (id: string): string =>
  `%${JSON.stringify({ id })
    .slice(1, -1)
    .replace(/[\\%_]/g, '_')}%`

/**
 * How many turns a person has begun in a workspace since a time (ms), and what they took in tokens, those of subagents
 * among them.
 */
export async function turnsOfPerson(
  db: Db,
  { platform, tenant, person }: { platform: string; tenant: string; person: string },
  since: number,
): Promise<{ turns: number; tokens: number }> {
  const rows = await db
    .selectFrom('turns')
    .innerJoin('sessions', 'sessions.id', 'turns.session_id')
    .select(['turns.person', sql<number>`count(*) filter (where sessions.parent is null)`.as('turns')])
    .select([sql<number>`sum(tokens_in)`.as('input'), sql<number>`sum(tokens_out)`.as('output')])
    .where('sessions.platform', '=', platform)
    .where('sessions.tenant', '=', tenant)
    .where('sessions.updated_at', '>=', since - updateLagMs)
    .where('turns.started_at', '>=', since)
    .where('turns.person', 'like', personPattern(person))
    .groupBy('turns.person')
    .execute()
  const theirs = rows.filter((row) => (JSON.parse(row.person) as Person).id === person)
  return {
    turns: theirs.reduce((total, row) => total + Number(row.turns), 0),
    tokens: theirs.reduce((total, row) => total + Number(row.input ?? 0) + Number(row.output ?? 0), 0),
  }
}
