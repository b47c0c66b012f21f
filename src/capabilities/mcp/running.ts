import type { Services } from '../../turn/capability.ts'
import { Catalog } from './catalog-store.ts'
import { Pool } from './pool.ts'
import { Marks } from './process/marks.ts'
import { enabledServers, type McpSettings } from './settings.ts'

/** What a bot with servers keeps while it runs. */
export interface Running {
  catalog: Catalog
  pool: Pool
}

/** How often servers that nobody uses are looked for. */
const restEveryMs = 30_000

/** Ends what an earlier bot left behind, and begins. Returns before the servers have started. */
export async function startServers(bot: Services, settings: McpSettings): Promise<Running> {
  const { config, store, sandbox, report } = bot
  const marks = new Marks(config.dataDir)
  const left = await marks.sweep()
  if (left > 0) report('an earlier bot was killed and left MCP servers behind, which were ended', { left })(undefined)
  const catalog = await Catalog.open(store, settings)
  const pool = new Pool(bot, { config, settings, sandbox, marks }, catalog)
  if (enabledServers(settings).length > 0) {
    pool.begin()
    bot.often('resting MCP servers', () => pool.rest(), restEveryMs)
  }
  return { catalog, pool }
}
