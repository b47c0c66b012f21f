import { sql } from 'kysely'
import { systemClock } from '../../src/kit/clock.ts'
import { runnableSessions } from '../../src/store/inbox.ts'
import { dueOutbox } from '../../src/store/outbox.ts'
import { idleSessions, listSessions } from '../../src/store/sessions.ts'
import { type Db, Store } from '../../src/store/store.ts'
import { lostWakes } from '../../src/store/wakes.ts'
import { median, ms, row } from '../table.ts'

/** What a bot looks for again and again, or for people, by how it is called in the table. */
const looks: [what: string, look: (db: Db) => Promise<unknown>][] = [
  ['what is to be posted (when it is due)', (db) => dueOutbox(db, Date.now(), 20)],
  ['sessions with work to do (each 15 s)', runnableSessions],
  ['what a lost process had fetched (each 15 s)', lostWakes],
  ['idle sessions (each hour)', (db) => idleSessions(db, Date.now())],
  ['the latest sessions (for people)', (db) => listSessions(db, { limit: 50 })],
]

const times = 5

async function timeOf(look: () => Promise<unknown>): Promise<number> {
  const taken: number[] = []
  for (let time = 0; time < times; time++) {
    const started = performance.now()
    await look()
    taken.push(performance.now() - started)
  }
  return median(taken)
}

/** How long such looks take on two filled databases that no bot runs on. */
export async function measureLooks(postgres: string, sqlite: string): Promise<void> {
  const [ours, theirs] = [await Store.open(postgres, systemClock), await Store.open(sqlite, systemClock)]
  for (const [what, look] of looks) {
    row(`  ${what}`, ms(await timeOf(() => look(ours.db))), ms(await timeOf(() => look(theirs.db))))
  }
  const { rows } = await sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`.execute(ours.db)
  const pages = await sql<{ bytes: number }>`select page_count * page_size as bytes
    from pragma_page_count(), pragma_page_size()`.execute(theirs.db)
  const gigabytes = (bytes: unknown) => `${(Number(bytes) / 1e9).toFixed(2)} GB`
  row('  size', gigabytes(rows[0]?.bytes), gigabytes(pages.rows[0]?.bytes))
  await Promise.all([ours.close(), theirs.close()])
}
