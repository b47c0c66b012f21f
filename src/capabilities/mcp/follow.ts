import type { Store } from '../../store/store.ts'
import { withAdded } from './added.ts'
import type { Running } from './running.ts'
import type { McpSettings, ServerSettings } from './settings.ts'

/** Does here what another process has added or removed. */
export async function followAdded(running: Running, configured: McpSettings, store: Pick<Store, 'db'>): Promise<void> {
  const { servers } = await withAdded(configured, store)
  const own = running.settings.servers
  for (const name of [...own.keys()].filter((one) => !servers.has(one))) await forget(name, running)
  const isNew = ([name, server]: [string, ServerSettings]) =>
    !configured.servers.has(name) && JSON.stringify(own.get(name)) !== JSON.stringify(server)
  const added = [...servers].filter(isNew)
  for (const [name, server] of added) {
    await running.pool.stopServer(name)
    own.set(name, server)
  }
  await running.catalog.readAgain()
  if (added.length > 0) running.pool.begin(added.map(([name]) => name))
}

/** A server isn't there any more. */
export async function forget(name: string, { settings, pool, catalog }: Running): Promise<void> {
  await pool.stopServer(name)
  settings.servers.delete(name)
  await catalog.forget(name)
}
