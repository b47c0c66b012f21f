import type { Health } from '../platforms/platform.ts'
import { countJobs, type JobCount } from '../store/jobs.ts'
import { nodesOf } from '../store/lock.ts'
import { plainNodeName } from '../store/lock-names.ts'
import { refusedOutbox } from '../store/refused.ts'
import type { Store } from '../store/store.ts'
import type { ApiDeps } from './deps.ts'
import { apiWords } from './words.ts'

/** Whether the process runs and can store things, how its platforms are connected, and what they refuse. */
export async function healthOf(deps: ApiDeps) {
  const { platforms, store } = deps
  const [waiting, jobs, nodes] = await Promise.all([waitingIn(store), jobsIn(store), nodesOn(deps)])
  const entries = [...platforms.values()].map((platform) => {
    const waits = waiting.get(platform.name)
    return [platform.name, { ...platform.health(), ...(waits && { waiting: waits }) }] as const
  })
  const database = databaseHealth(store)
  const isDrained = nodes?.all.some(({ state, here }) => here && state === 'drained') ?? false
  const ok = database.ok && entries.every(([, health]) => health.ok) && !isDrained
  return { status: ok ? 'ok' : 'degraded', database, platforms: Object.fromEntries(entries), jobs, nodes }
}

/**
 * The processes on the same database. The others continue what a silent or drained one did, so neither makes this one
 * unhealthy.
 */
async function nodesOn({ config, store, silent, holder: mine }: ApiDeps) {
  if (config.node === undefined) return undefined
  const rows = await nodesOf(store.db).catch(() => [])
  const isSilent = silent()
  const all = rows.map(({ name, holder, state, host, version, started_at }) => ({
    name: plainNodeName(name),
    here: holder === mine,
    state,
    silent: isSilent.has(holder),
    host,
    version,
    since: new Date(started_at).toISOString(),
  }))
  const count = (fits: (node: (typeof all)[number]) => boolean): number => all.filter(fits).length
  return { silent: count((node) => node.silent), draining: count(({ state }) => state !== 'working'), all }
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
  return { ok: true, detail: apiWords.storeHealthy() }
}
