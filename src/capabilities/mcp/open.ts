import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { withVariables } from '../../config/references.ts'
import { Failure } from '../../kit/failure.ts'
import { removeTree } from '../../kit/files/remove-tree.ts'
import type { Sandbox } from '../../kit/sandbox/port.ts'
import { urlOf } from './addresses.ts'
import type { Started } from './connection.ts'
import { loginOf } from './login/login-of.ts'
import type { Learn } from './login/teaching.ts'
import type { Link, McpHost } from './port.ts'
import { containServer } from './process/contained.ts'
import type { Marks } from './process/marks.ts'
import { isOverWithin, type ServerProcess } from './process/process.ts'
import { spawnServer } from './process/spawned.ts'
import { loginWay, type McpSettings, type ServerSettings, transportOf } from './settings.ts'
import { mcpWords } from './words.ts'

export interface OpenDeps {
  config: Pick<Config, 'dataDir' | 'configDir' | 'variables' | 'searchPath'>
  settings: McpSettings
  sandbox: Sandbox
  marks: Marks
  mask(text: string): string
  learn: Learn
}

/** A server. `scope`: the thread or workspace that it belongs to; '' if all share it. */
export interface Wanted {
  name: string
  server: ServerSettings
  scope: string
}

/** Threads that each have a server of their own share its login. */
const loginPlace = ({ server, scope }: Wanted): string => (server.scope === 'tenant' ? scope : '')

/** Starts a server, connects and asks for its tools. Leaves nothing behind if it fails. */
export async function openServer(
  wanted: Wanted,
  host: McpHost,
  { signal, deps }: { signal: AbortSignal; deps: OpenDeps },
): Promise<Started> {
  const { server } = wanted
  const folder = transportOf(server) === 'stdio' ? folderOf(wanted, deps) : undefined
  let running: ServerProcess | undefined
  const end = async () => {
    await running?.stop()
    if (folder !== undefined && server.scope === 'session') await removeTree(folder)
  }
  try {
    if (folder !== undefined) running = await startProcess(wanted, folder, deps)
    const link = running === undefined ? await addressOf(wanted, deps) : stdioOf(running)
    const { connectMcp } = await import('./sdk/connect.ts')
    const client = await connectMcp(link, host, deps.settings.limits, signal)
    const stop = async () => {
      await client.close()
      await end()
    }
    try {
      const tools = await client.listTools(signal)
      return { client, tools, ended: running?.ended ?? new Promise(() => {}), stop }
    } catch (thrown) {
      await client.close()
      throw thrown
    }
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'mcp_login') throw wantsLogin(wanted, thrown)
    // A closed connection says less than the program that has just ended.
    const hasEnded = !signal.aborted && running !== undefined && (await isOverWithin(running.exited, endsWithinMs))
    const why = hasEnded ? await running?.ended : undefined
    await end()
    throw running === undefined || why === undefined
      ? thrown
      : new Failure('mcp_unreachable', sentence(why, deps.mask(running.said())), '')
  }
}

const stdioOf = ({ input, output }: ServerProcess): Link => ({ kind: 'stdio', input, output })

function wantsLogin({ name, server, scope }: Wanted, { message }: Failure): Failure {
  const login = `mcp login ${name}`
  const isOfTenants = server.scope === 'tenant'
  if (isOfTenants && scope === '') return new Failure('mcp_login', message, mcpWords.workspacesLogIn({ name }))
  const elsewhere = isOfTenants ? '' : `, or run \`bobbin ${login}\``
  return new Failure('mcp_login', message, `Say \`${login}\` to me in a thread${elsewhere}.`)
}

const endsWithinMs = 500

const shownCharacters = 4_000

const sentence = (why: string, said: string): string =>
  said === '' ? why : `${why}; it wrote: ${said.slice(-shownCharacters).split('\n').slice(-5).join(' ')}`

async function startProcess({ server }: Wanted, folder: string, deps: OpenDeps): Promise<ServerProcess> {
  const { config, settings, sandbox, marks } = deps
  const put = (text: string) => withVariables(text, config.variables)
  const mark = await marks.next()
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const env = Object.fromEntries(Object.entries(server.env).map(([key, value]) => [key, put(value)]))
  const [command = '', ...args] = [server.command ?? '', ...server.args].map(put)
  if (server.sandbox) {
    const hosts = server.hosts.map(put)
    return containServer(sandbox, { command, args, folder, environment: env, hosts, limits: settings.sandbox })
  }
  const directory = server.directory === undefined ? folder : absolute(put(server.directory), config.configDir)
  const environment = { PATH: config.searchPath, HOME: folder, LANG: 'C.UTF-8', TMPDIR: tmpdir(), ...env }
  return spawnServer({ command, args, directory, environment, mark })
}

/** Nothing of one workspace or thread may reach another, so each has a folder of its own. */
function folderOf({ name, server, scope }: Wanted, { config, marks }: OpenDeps): string {
  if (server.scope === 'session') return marks.folderFor(scope, name)
  const folder = join(config.dataDir, 'mcp', 'servers', name)
  return scope === ''
    ? folder
    : join(`${folder}.${server.scope}`, createHash('sha256').update(scope).digest('hex').slice(0, 32))
}

const absolute = (path: string, from: string): string => (isAbsolute(path) ? path : join(from, path))

async function addressOf(wanted: Wanted, { config, settings, learn }: OpenDeps): Promise<Link> {
  const { name, server } = wanted
  const kind = transportOf(server)
  const url = urlOf(server, config.variables)
  if (kind === 'stdio' || url === undefined)
    throw new Failure('mcp_unreachable', 'its url is not an address', mcpWords.addressRemedy())
  const headers = Object.entries(server.headers).map(([key, value]) => [key, withVariables(value, config.variables)])
  const plain = { kind, url, headers: Object.fromEntries(headers) }
  if (loginWay(server) === undefined) return plain
  const { login } = loginOf({ name, server, place: loginPlace(wanted) }, config, settings, learn)
  return (await login.kept.read()) === undefined ? plain : { ...plain, login }
}
