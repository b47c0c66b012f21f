import type { Health } from '../platforms/platform.ts'
import { countJobs, type JobCount } from '../store/jobs.ts'
import { refusedOutbox } from '../store/refused.ts'
import type { Store } from '../store/store.ts'
import type { ApiDeps } from './deps.ts'

/** Whether the process runs and can store things, how its platforms are connected, and what they refuse. */
export async function healthOf({ platforms, store }: ApiDeps) {
  const [waiting, jobs] = await Promise.all([waitingIn(store), jobsIn(store)])
  const entries = [...platforms.values()].map((platform) => {
    const waits = waiting.get(platform.name)
    return [platform.name, { ...platform.health(), ...(waits && { waiting: waits }) }] as const
  })
  const database = databaseHealth(store)
  const ok = database.ok && entries.every(([, health]) => health.ok)
  return { status: ok ? 'ok' : 'degraded', database, platforms: Object.fromEntries(entries), jobs }
}

/** A failed job doesn't make the bot unhealthy, because other threads don't depend on it. */
const jobsIn = ({ db }: Store): Promise<JobCount | undefined> => countJobs(db).catch(() => undefined)

/** What platforms refuse until somebody fixes something. */
async function waitingIn({ db }: Store) {
  try {
    const waiting = new Map<string, { count: number; reason: string; remedy: string }[]>()
    for (const { platform, ...row } of await refusedOutbox(db)) {
      waiting.set(platform, [...(waiting.get(platform) ?? []), row])
    }
    return waiting
  } catch {
    // If the database can't be read, another field says so.
    return new Map()
  }
}

function databaseHealth({ availability, damage }: Store): Health {
  const { fault } = availability
  if (damage !== undefined) return { ok: false, detail: damage }
  if (fault !== undefined) return { ok: false, detail: `${fault.message} ${fault.remedy}` }
  return { ok: true, detail: 'Bobbin can store things.' }
}
