import { existsSync } from 'node:fs'
import { settingsIn } from '../../config/section.ts'
import { Failure } from '../../kit/failure.ts'
import { fitsName } from '../../kit/patterns/name.ts'
import type { Capability } from '../../turn/port/capability.ts'
import type { Services } from '../../turn/port/scope.ts'
import { hasAdded } from './added.ts'
import { mcpCommand } from './commands.ts'
import type { McpContext } from './context.ts'
import { followAdded } from './follow.ts'
import { deciderName } from './may.ts'
import type { Running } from './running.ts'
import { secretsIn } from './secrets.ts'
import { enabledServers, type McpSettings, mcpSection } from './settings.ts'
import { isNameOf } from './tools/names.ts'
import { mcpWords } from './words.ts'

/** The servers of each bot of this process that has any. */
const running = new WeakMap<Services, Running>()
/** Those that have begun, or are about to. */
const starts = new WeakMap<Services, Promise<Running>>()
const none: readonly never[] = []
/** Bots that stop: nothing is started for them any more. */
const stopping = new WeakSet<Services>()

/** Begins once, however many ask for it. Throws `stopping`. */
async function start(bot: Services, settings: McpSettings): Promise<Running> {
  if (stopping.has(bot)) throw new Failure('stopping', mcpWords.stopping(), mcpWords.stoppingRemedy())
  const starting = starts.get(bot) ?? begin(bot, settings)
  starts.set(bot, starting)
  try {
    return await starting
  } catch (thrown) {
    // The next one tries again.
    if (starts.get(bot) === starting) starts.delete(bot)
    throw thrown
  }
}

async function begin(bot: Services, settings: McpSettings): Promise<Running> {
  const { startServers } = await import('./running.ts')
  const started = await startServers(bot, settings)
  running.set(bot, started)
  return started
}

/** How often servers that nobody uses are looked for. */
const restEveryMs = 30_000

/** What other processes do is followed at once, and looked for in case that isn't heard. */
const followMs = 15_000

function followOthers(bot: Services, settings: McpSettings): void {
  const follow = async () => {
    if (stopping.has(bot)) return
    if (!starts.has(bot) && !(await hasAdded(bot.store))) return
    const own = await start(bot, settings)
    await own.logins.look()
    await followAdded(own, settings, bot.store)
  }
  const report = bot.report('what other processes changed about MCP servers was not taken over')
  let last: Promise<void> = Promise.resolve()
  let isWaiting = false
  const followSoon = (): Promise<void> => {
    if (isWaiting) return last
    isWaiting = true
    last = last.then(() => {
      isWaiting = false
      return follow().catch(report)
    })
    return last
  }
  bot.store.whenChanged('mcp', () => void followSoon())
  bot.often('what other processes change about MCP servers', followSoon, followMs, { isOwn: true })
}

/** Tools of servers that speak the Model Context Protocol. */
export const mcp: Capability<McpSettings> = {
  name: 'mcp',
  title: 'MCP servers',
  settings: mcpSection,
  secrets: secretsIn,
  found: (bot, where) => running.get(bot)?.catalog.toolsIn(where) ?? none,
  async foundBefore(open, settings) {
    if (enabledServers(settings).length === 0) return none
    const { Catalog } = await import('./catalog-store.ts')
    return (await Catalog.open(await open(), settings)).toolsIn()
  },
  mayFind: (name, { servers }) =>
    [...servers].some(
      ([server, { tools }]) =>
        isNameOf(server, name) ||
        Object.values(tools).some(({ alias }) => alias !== undefined && fitsName(name, alias)),
    ),
  deciderNames: [deciderName],
  ready: (bot) => running.get(bot)?.pool.learning,
  context({ bot, session }): Pick<McpContext, 'mcp'> {
    return {
      mcp: {
        call(tool, input, context) {
          const { pool } = running.get(bot) ?? {}
          if (pool === undefined) throw new Error('no MCP server is set up')
          return pool.call(tool, input, context, session)
        },
      },
    }
  },
  routesAt: 'mcp',
  operations: async () => (await import('./operations.ts')).mcpOperations,
  routes: (bot) => async (request) => {
    const configured = settingsIn(bot.config, mcpSection)
    const { answerRoute } = await import('./routes.ts')
    const begin = () => start(bot, configured)
    return answerRoute(request, { bot, configured, running: () => running.get(bot), begin })
  },
  commands: (bot) => [mcpCommand(bot, () => running.get(bot))],
  async *checks(config, settings) {
    yield* (await import('./checks.ts')).mcpFindings(config, settings)
  },
  async terminal(args, config, settings, open) {
    const { mcpCommand } = await import('./terminal.ts')
    return mcpCommand(args, config, settings, open)
  },
  async start(bot, settings) {
    // Servers of a bot that was killed are ended even if none is set up any more.
    const isNeeded = enabledServers(settings).length > 0 || existsSync(`${bot.config.dataDir}/mcp/running`)
    if (isNeeded || (await hasAdded(bot.store))) await start(bot, settings)
    // Also for a bot without any: once it has started, it is too late to ask for this.
    const rest = async () => running.get(bot)?.pool.rest()
    bot.often('resting MCP servers', rest, restEveryMs, { isOwn: true })
    if (bot.store.wire !== undefined) followOthers(bot, settings)
  },
  async stop(bot) {
    stopping.add(bot)
    const own = await starts.get(bot)?.catch(() => undefined)
    own?.logins.stopAll()
    await own?.pool.stop()
    starts.delete(bot)
    running.delete(bot)
  },
}
