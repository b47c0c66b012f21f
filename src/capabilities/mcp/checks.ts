import type { Config } from '../../config/config.ts'
import { broken, type Finding, fine, mind } from '../../domain/finding.ts'
import { Failure, reasonOf } from '../../kit/failure.ts'
import { lateSandbox } from '../../kit/sandbox/late.ts'
import { createSecrets } from '../../kit/secrets/secrets.ts'
import { secretsAmong } from '../../kit/secrets/setting.ts'
import { counted, sizeWords } from '../../kit/text/shown.ts'
import { oneLine, visible } from '../../kit/text/text.ts'
import { aboutOfServers, mostTools } from '../../turn/port/most-tools.ts'
import type { Started } from './connection.ts'
import { openServer } from './open.ts'
import type { McpHost } from './port.ts'
import { Marks } from './process/marks.ts'
import { secretsIn } from './secrets.ts'
import { enabledServers, type McpSettings, type ServerSettings, transportOf } from './settings.ts'
import { isOff } from './tools/names.ts'
import { isOffered } from './tools/tools.ts'
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

/** Adds the number of its tools to the `sum`. */
async function findingOn(
  [name, server]: Named,
  config: Config,
  settings: McpSettings,
  sum: { tools: number },
): Promise<Finding> {
  try {
    const { about, names, offered, leftOut } = await tryServer([name, server], config, settings, (started) => ({
      about: started.client.about,
      names: started.tools.map((tool) => tool.name),
      ...triedTools([name, server], started, settings),
    }))
    const missing = Object.keys(server.tools).filter((tool) => !names.includes(tool))
    const { length } = offered
    sum.tools += length
    const fact = `${name} (${about}, ${transportOf(server)}) has ${counted(length, 'tool')}.${leftOut && ` ${leftOut}`}`
    if (missing.length === 0) return leftOut === '' ? fine(fact) : mind(fact)
    return broken(mcpWords.toolsMissing({ fact, missing: missing.join(', ') }), mcpWords.toolsMissingRemedy())
  } catch (thrown) {
    const { code, remedy } = thrown instanceof Failure ? thrown : { code: '', remedy: '' }
    // Workspaces may be logged in, and their logins are only for their threads.
    if (code === 'mcp_login' && server.scope === 'tenant') return mind(mcpWords.loginToCheck({ name }), remedy)
    return broken(`${name} can’t be used: ${reasonOf(thrown)}`, remedy || mcpWords.checkFailedRemedy())
  }
}

/** The tools that models get of a server that was started, and what is said of the others; '' if there are none. */
export function triedTools([name, server]: Named, { client, tools }: Started, { limits }: McpSettings) {
  const { broken = [], beyond = [], more = false } = client.leftOut ?? {}
  const offered = tools.filter((tool) => isOffered(name, server, tool, limits))
  const unfit = tools.filter((tool) => !isOff(server, tool.name) && !offered.includes(tool)).map((tool) => tool.name)
  const others = more ? [...beyond, mcpWords.others()] : beyond
  const said = [
    ...(broken.length > 0 ? [mcpWords.toolsLeftOut({ names: shownNames(broken) })] : []),
    ...(unfit.length > 0
      ? [mcpWords.toolsUnfit({ names: shownNames(unfit), size: sizeWords(limits.definitionBytes) })]
      : []),
    ...(others.length > 0 ? [mcpWords.toolsBeyond({ names: shownNames(others), most: limits.tools })] : []),
  ]
  return { offered, leftOut: said.join(' ') }
}

const shownNames = (names: readonly string[]): string => visible(oneLine(names.join(', '), 300))

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
