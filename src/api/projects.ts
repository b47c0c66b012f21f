import { listSessions, type Place, threadsSince } from '../store/sessions.ts'
import type { Api, ApiDeps } from './deps.ts'

/** A channel whose last thread is so much older than the latest of all is not listed; its threads are still there. */
const listedMs = 90 * 86_400_000
/** Among these are those of platforms that are not connected any more. */
const latest = 100

/** Where the bot was spoken to, on all platforms. */
export function projectRoutes(api: Api, { store, platforms }: Pick<ApiDeps, 'store' | 'platforms'>): void {
  api.get('/agent/projects', async (context) => {
    const sessions = await listSessions(store.db, { limit: latest })
    const names = new Set([...platforms.keys(), ...sessions.map(({ thread }) => thread.platform)])
    const since = (sessions[0]?.updatedAt ?? 0) - listedMs
    const threads = await Promise.all([...names].map((name) => threadsSince(store.db, name, since)))
    return context.json({ projects: count(threads.flat()) })
  })
}

/** Of a platform, the channel that was used last stands first. */
function count(threads: Place[]) {
  const projects = new Map<string, { platform: string; tenant_id: string; project_id: string; conversations: number }>()
  for (const { platform, tenant, project } of threads) {
    const key = JSON.stringify([platform, tenant, project])
    const conversations = (projects.get(key)?.conversations ?? 0) + 1
    projects.set(key, { platform, tenant_id: tenant, project_id: project, conversations })
  }
  return [...projects.values()]
}
