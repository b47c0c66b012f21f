import { databasePlace } from '../config/config.ts'
import { oneLine } from '../kit/text/text.ts'
import { countJobsOf, type JobCount } from '../store/jobs.ts'
import { hasDatabase } from '../store/open-database.ts'
import { listSessions } from '../store/sessions.ts'
import { countTurns, lastTurns } from '../store/turns.ts'
import { loadOrThrow } from './load.ts'
import { openStore } from './open-store.ts'

const latest = 20

/** Lists the latest 20 sessions (W5). Works while the bot runs. */
export async function sessionsCommand(_args: string[]): Promise<number> {
  const file = databasePlace(loadOrThrow())
  if (!hasDatabase(file)) {
    process.stdout.write('There are no sessions yet.\n')
    return 0
  }
  const store = await openStore(file)
  try {
    const sessions = await listSessions(store.db, { limit: latest })
    if (sessions.length === 0) process.stdout.write('There are no sessions yet.\n')
    const ids = sessions.map(({ id }) => id)
    const [turns, lasts, jobs] = await Promise.all([
      countTurns(store.db, ids),
      lastTurns(store.db, ids),
      countJobsOf(store.db, ids),
    ])
    for (const session of sessions) {
      const state = lasts.get(session.id)?.state ?? 'new'
      const when = new Date(session.updatedAt).toISOString().slice(0, 16).replace('T', ' ')
      const where = `${session.thread.platform}/${session.thread.project}`
      process.stdout.write(
        `${session.id}  ${when}  ${state.padEnd(7)}  ${turns.get(session.id) ?? 0} turns${jobWords(jobs.get(session.id))}  ${where}  ${oneLine(session.title, 60)}\n`,
      )
    }
    return 0
  } finally {
    await store.close()
  }
}

/** Empty when there is nothing to say. */
function jobWords({ open, failed }: JobCount = { open: 0, failed: 0 }): string {
  const words = [...(open > 0 ? [`${open} open`] : []), ...(failed > 0 ? [`${failed} failed`] : [])]
  return words.length === 0 ? '' : `, jobs: ${words.join(', ')}`
}
