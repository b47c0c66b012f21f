import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { withVariables } from '../../config/references.ts'
import { Failure } from '../../kit/failure.ts'
import type { Sandbox } from '../../kit/sandbox/port.ts'
import type { Opened } from './connection.ts'
import type { Link, McpHost } from './port.ts'
import { containServer } from './process/contained.ts'
import type { Marks } from './process/marks.ts'
import type { ServerProcess } from './process/process.ts'
import { spawnServer } from './process/spawned.ts'
import { type McpSettings, type ServerSettings, transportOf } from './settings.ts'

export interface OpenDeps {
  config: Pick<Config, 'dataDir' | 'configDir' | 'variables' | 'searchPath'>
  settings: McpSettings
  sandbox: Sandbox
  marks: Marks
}

/** Starts a server, connects and asks for its tools. Leaves nothing behind if it fails. */
export async function openServer(
  name: string,
  server: ServerSettings,
  host: McpHost,
  { signal, deps }: { signal: AbortSignal; deps: OpenDeps },
): Promise<Opened> {
  const transport = transportOf(server)
  const running = transport === 'stdio' ? await startProcess(name, server, deps) : undefined
  const over = running?.ended.then((why) => Promise.reject(new Failure('mcp_unreachable', sentence(why, running), '')))
  over?.catch(() => undefined)
  try {
    const link: Link =
      running === undefined || transport === 'stdio'
        ? { kind: 'stdio', ...(running as ServerProcess) }
        : { kind: transport, ...addressOf(server, deps.config.variables) }
    const { connectMcp } = await import('./sdk/connect.ts')
    const { messageBytes, tools: mostTools } = deps.settings.limits
    const hello = async () => {
      const client = await connectMcp(link, host, { messageBytes, tools: mostTools }, signal)
      try {
        return { client, tools: await client.listTools(signal) }
      } catch (thrown) {
        await client.close()
        throw thrown
      }
    }
    const { client, tools } = await Promise.race([hello(), ...(over === undefined ? [] : [over])])
    return {
      client,
      tools,
      ended: running?.ended ?? new Promise(() => {}),
      async stop() {
        await client.close()
        await running?.stop()
      },
    }
  } catch (thrown) {
    await running?.stop()
    throw thrown
  }
}

const sentence = (why: string, { said }: ServerProcess): string => {
  const text = said()
  return text === '' ? why : `${why}; it wrote: ${text.split('\n').slice(-5).join(' ')}`
}

async function startProcess(name: string, server: ServerSettings, deps: OpenDeps): Promise<ServerProcess> {
  const { config, settings, sandbox, marks } = deps
  const put = (text: string) => withVariables(text, config.variables)
  const folder = join(config.dataDir, 'mcp', 'servers', name)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const own = Object.fromEntries(Object.entries(server.env).map(([key, value]) => [key, put(value)]))
  const command = put(server.command ?? '')
  const args = server.args.map(put)
  if (server.sandbox)
    return containServer(sandbox, {
      command,
      args,
      folder,
      environment: own,
      hosts: server.hosts,
      limits: settings.sandbox,
    })
  const directory = server.directory === undefined ? folder : absolute(put(server.directory), config.configDir)
  const environment = { PATH: config.searchPath, HOME: folder, LANG: 'C.UTF-8', TMPDIR: tmpdir(), ...own }
  return spawnServer({ command, args, directory, environment, mark: await marks.next() })
}

const absolute = (path: string, from: string): string => (isAbsolute(path) ? path : join(from, path))

function addressOf({ url = '', headers }: ServerSettings, variables: Readonly<Record<string, string>>) {
  const address = URL.parse(withVariables(url, variables))
  if (address === null || !/^(https?|wss?):$/.test(address.protocol))
    throw new Failure('mcp_unreachable', 'its url is not an address', 'Correct it in config/mcp_servers.yaml.')
  return {
    url: address,
    headers: Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, withVariables(value, variables)])),
  }
}
