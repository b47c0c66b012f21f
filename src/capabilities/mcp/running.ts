import type { Services } from '../../turn/port/scope.ts'
import { withAdded } from './added.ts'
import { Catalog } from './catalog-store.ts'
import { ChatLogins } from './login/in-chat.ts'
import { logOut } from './login/log-in.ts'
import { learnLogins, loginOf, type Named } from './login/login-of.ts'
import type { Learn } from './login/teaching.ts'
import { Pool } from './pool.ts'
import { Marks } from './process/marks.ts'
import { enabledServers, loginWay, type McpSettings } from './settings.ts'

/** What a bot with servers keeps while it runs. */
export interface Running {
  /** With the servers that were added while it runs. */
  settings: McpSettings
  catalog: Catalog
  pool: Pool
  logins: ChatLogins
  logOut(named: Named): Promise<boolean>
}

/** Ends what an earlier bot left behind, and begins. Returns before the servers have started. */
export async function startServers(bot: Services, configured: McpSettings): Promise<Running> {
  const { config, store, clock, sandbox, report } = bot
  const marks = new Marks(config.dataDir)
  const left = await marks.sweep()
  if (left > 0) report('an earlier bot was killed and left MCP servers behind, which were ended', { left })(undefined)
  const settings = await withAdded(configured, store)
  const catalog = await Catalog.open(store, settings)
  const mask = (text: string) => store.mask(text)
  const { learnSecrets: learn } = bot
  await learnAll(settings, config, learn)
  const pool = new Pool(bot, { config, settings, sandbox, marks, mask, learn }, catalog)
  if (enabledServers(settings).length > 0) pool.begin()
  const logins = new ChatLogins({
    config,
    settings,
    store,
    clock,
    learn,
    kept: ({ name, place }) => pool.stopServer(name, place),
  })
  return { settings, catalog, pool, logins, logOut: (named) => logOut(named, config, settings, learn) }
}

/** What a server was given earlier may stand in a file, which is read before the server is used again. */
async function learnAll(settings: McpSettings, config: Services['config'], learn: Learn): Promise<void> {
  const reads = enabledServers(settings).map(async ([name, server]) => {
    if (loginWay(server) === undefined) return
    loginOf({ name, server }, config, settings, learn)
    await learnLogins(name, config, settings, learn)
  })
  // Whoever uses such a server is told.
  await Promise.allSettled(reads)
}
