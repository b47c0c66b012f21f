import type { Config } from '../../config/config.ts'
import { broken, type Finding, fine } from '../../domain/finding.ts'
import { Failure, reasonOf } from '../../kit/failure.ts'
import { lateSandbox } from '../../kit/sandbox/late.ts'
import { counted } from '../../kit/text/shown.ts'
import type { Opened } from './connection.ts'
import { type OpenDeps, openServer } from './open.ts'
import type { McpHost } from './port.ts'
import { Marks } from './process/marks.ts'
import { enabledServers, type McpSettings, type ServerSettings, transportOf } from './settings.ts'

/** Starts each server, asks for its tools and stops it again. */
export async function* mcpFindings(config: Config, settings: McpSettings): AsyncGenerator<Finding> {
  const servers = enabledServers(settings)
  if (servers.length === 0) yield fine('There are none. See config/mcp_servers.yaml.')
  const deps = { config, settings, sandbox: lateSandbox(), marks: new Marks(config.dataDir) }
  for (const [name, server] of servers) yield await findingOn(name, server, deps)
  await deps.marks.clear()
}

const nobody: McpHost = {
  roots: () => [],
  elicit: async () => ({ action: 'cancel' }),
  sample: undefined,
  toolsChanged() {},
  closed() {},
}

async function findingOn(name: string, server: ServerSettings, deps: OpenDeps): Promise<Finding> {
  const { startMs } = deps.settings.limits
  const signal = AbortSignal.timeout(startMs)
  let opened: Opened | undefined
  try {
    opened = await openServer(name, server, nobody, { signal, deps })
    const names = opened.tools.map((tool) => tool.name)
    const missing = Object.keys(server.tools).filter((tool) => !names.includes(tool))
    const about = `${name} (${opened.client.about}, ${transportOf(server)}) has ${counted(names.length, 'tool')}.`
    if (missing.length === 0) return fine(about)
    return broken(`${about} It has no ${missing.join(', ')}.`, 'Correct its tools in config/mcp_servers.yaml.')
  } catch (thrown) {
    const why = signal.aborted ? `it did not start within ${startMs} ms` : reasonOf(thrown)
    const remedy = thrown instanceof Failure ? thrown.remedy : ''
    return broken(
      `${name} can’t be used: ${why}`,
      remedy || 'Correct it in config/mcp_servers.yaml, or set enabled: false.',
    )
  } finally {
    await opened?.stop()
  }
}
