import type { Config } from '../../config/config.ts'
import { broken, type Finding, fine, mind } from '../../domain/finding.ts'
import { Failure, reasonOf } from '../../kit/failure.ts'
import { lateSandbox } from '../../kit/sandbox/late.ts'
import { createSecrets } from '../../kit/secrets/secrets.ts'
import { secretsAmong } from '../../kit/secrets/setting.ts'
import { counted } from '../../kit/text/shown.ts'
import { aboutOfServers, mostTools } from '../../turn/port/most-tools.ts'
import type { Started } from './connection.ts'
import { openServer } from './open.ts'
import type { McpHost } from './port.ts'
import { Marks } from './process/marks.ts'
import { secretsIn } from './secrets.ts'
import { enabledServers, type McpSettings, type ServerSettings, transportOf } from './settings.ts'
import { isForAll, triedTools } from './tools/tried.ts'
import { mcpWords } from './words.ts'

type Named = [name: string, server: ServerSettings]

/** Starts each server, asks for its tools and stops it again. */
export async function* mcpFindings(config: Config, settings: McpSettings): AsyncGenerator<Finding> {
  const servers = enabledServers(settings)
  if (servers.length === 0) yield fine(mcpWords.checkedNone())
  const sum = { tools: 0 }
  for (const named of servers) yield await findingOn(named, config, settings, sum)
  if (sum.tools > aboutOfServers) yield mind(mcpWords.tooMany({ ...sum, most: mostTools }), mcpWords.tooManyRemedy())
}

/** Adds the number of its tools that each thread has to the `sum`. */
async function findingOn(
  [name, server]: Named,
  config: Config,
  settings: McpSettings,
  sum: { tools: number },
): Promise<Finding> {
  try {
    const { about, offered, leftOut, missing } = await tryServer([name, server], config, settings, (started) => ({
      about: started.client.about,
      ...triedTools([name, server], started, settings),
    }))
    sum.tools += offered.filter((tool) => isForAll([name, server], tool.name, config)).length
    const has = `has ${counted(offered.length, 'tool')}.${leftOut && ` ${leftOut}`}`
    const fact = `${name} (${about}, ${transportOf(server)}) ${has}`
    if (missing.length === 0) return leftOut === '' ? fine(fact) : mind(fact)
    return broken(mcpWords.toolsMissing({ fact, missing: missing.join(', ') }), mcpWords.toolsMissingRemedy())
  } catch (thrown) {
    const { code, remedy } = thrown instanceof Failure ? thrown : { code: '', remedy: '' }
    // Workspaces may be logged in, and their logins are only for their threads.
    if (code === 'mcp_login' && server.scope === 'tenant') return mind(mcpWords.loginToCheck({ name }), remedy)
    return broken(`${name} can’t be used: ${reasonOf(thrown)}`, remedy || mcpWords.checkFailedRemedy())
  }
}

const nobody: Omit<McpHost, 'mask'> = {
  roots: () => [],
  elicit: async () => ({ action: 'cancel' }),
  sample: undefined,
  toolsChanged() {},
  closed() {},
}

/** What a server may know and repeat. */
const secretsFor = ({ variables }: Config, settings: McpSettings) => [
  ...secretsAmong(variables),
  ...secretsIn(settings, variables),
]

/** Starts a server outside the bot, looks at it and stops it. Throws Failure if it can't be used. */
export async function tryServer<T>(
  [name, server]: Named,
  config: Config,
  settings: McpSettings,
  look: (opened: Started) => T,
): Promise<T> {
  const { startMs } = settings.limits
  const signal = AbortSignal.timeout(startMs)
  const marks = new Marks(config.dataDir)
  const { mask, learn } = createSecrets(secretsFor(config, settings))
  let opened: Started | undefined
  try {
    opened = await openServer(
      { name, server, scope: '' },
      { ...nobody, mask },
      {
        signal,
        deps: { config, settings, sandbox: lateSandbox(), marks, mask, learn },
      },
    )
    return look(opened)
  } catch (thrown) {
    throw signal.aborted ? new Failure('mcp_unreachable', `it did not start within ${startMs} ms`, '') : thrown
  } finally {
    await opened?.stop()
    await marks.clear()
  }
}
