import { setTimeout as sleep } from 'node:timers/promises'
import type { Hono } from 'hono'
import { locksOfNodes } from '../store/lock.ts'
import type { ApiDeps } from './deps.ts'

/** For programs that supervise the bot. They say little, so they need no token. */
export const probes = ['/healthz', '/readyz'] as const

/** A database that takes longer to answer counts as down, ms. */
const databaseMs = 2_000

/** `/healthz`: the process answers. `/readyz`: it takes new work, and where it is connected. */
export function probeRoutes(app: Hono, deps: ApiDeps): void {
  app.get('/healthz', (context) => context.json({ status: 'ok' }))
  app.get('/readyz', async (context) => {
    const reasons = await reasonsOf(deps)
    const connected = [...deps.platforms.values()].filter((platform) => platform.health().ok).map(({ name }) => name)
    return context.json({ ready: reasons.length === 0, reasons, connected }, reasons.length === 0 ? 200 : 503)
  })
}

/** Why the process takes no work. The schema needs no check, because a start brings it up to date. */
async function reasonsOf({ store, holder, platforms, closing, isStarted }: ApiDeps): Promise<string[]> {
  if (closing.aborted) return ['stopping']
  if (!isStarted()) return ['starting']
  const tooLong = sleep(databaseMs, undefined, { ref: false })
  const nodes = await Promise.race([locksOfNodes(store.db), tooLong]).catch(() => undefined)
  const { damage, availability } = store
  const isAway = nodes === undefined || damage !== undefined || availability.fault !== undefined
  const state = nodes?.find((node) => node.holder === holder)?.state ?? 'replaced'
  const apart = [...platforms.values()].filter((platform) => {
    const { ok, waits } = platform.health()
    return !ok && !waits
  })
  return [
    ...(isAway ? ['database'] : []),
    ...(isAway || state === 'working' ? [] : [state === 'drained' ? 'draining' : state]),
    ...apart.map(({ name }) => name),
  ]
}
