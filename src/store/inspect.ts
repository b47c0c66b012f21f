import type { DatabaseReport } from './database-report.ts'
import { isServer } from './place.ts'
import { type NodeSeen, seeNodes } from './see-nodes.ts'
import { storeWords } from './words.ts'

/** Looks into a database without changing anything, even while a bot runs on it. Undefined when there is none yet. */
export async function inspectDatabase(place: string): Promise<DatabaseReport | undefined> {
  if (isServer(place)) return (await import('./postgres/inspect.ts')).inspectPostgres(place)
  return (await import('./sqlite/inspect.ts')).inspectSqlite(place)
}

/** Who runs on a database that was inspected. */
export const nodesIn = (place: string, { locks }: DatabaseReport, silentMs: number): Promise<NodeSeen[]> =>
  seeNodes(locks, silentMs, async () => {
    if (!isServer(place)) return locks
    return (await import('./postgres/inspect.ts')).inspectLocks(place)
  })

/** How people know a database, and what helps when it is damaged. */
export function aboutDatabase(place: string): { name: string; restore: string } {
  if (!isServer(place)) {
    const restore = storeWords.restoreFileRemedy()
    return { name: place, restore }
  }
  const { host, pathname, searchParams } = new URL(place)
  const name = `${pathname.slice(1)} on ${host || searchParams.get('host')}`
  return { name, restore: storeWords.restoreDatabaseRemedy() }
}
