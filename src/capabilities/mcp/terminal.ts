import type { Config } from '../../config/config.ts'
import { Failure, reasonOf, sentencesOf } from '../../kit/failure.ts'
import { counted } from '../../kit/text/shown.ts'
import { oneLine, visible } from '../../kit/text/text.ts'
import type { Store } from '../../store/store.ts'
import { withAdded } from './added.ts'
import { tryServer } from './checks.ts'
import { type McpSettings, type ServerSettings, transportOf } from './settings.ts'
import { toolName } from './tools/names.ts'
import { triedTools } from './tools/tried.ts'
import { mcpWords } from './words.ts'

const usage = 'Usage: mcp list | mcp test <server> | mcp tools <server> | mcp login <server> | mcp logout <server>\n'

type Open = () => Promise<Store | undefined>

const say = (text: string) => void process.stdout.write(`${text}\n`)

/** `bobbin mcp`: the servers, tried from the command line. Returns the exit code. */
export async function mcpCommand(
  [action, name, ...more]: string[],
  config: Config,
  configured: McpSettings,
  open: Open,
): Promise<number> {
  if (action === 'list' && name === undefined) return listServers(configured, open)
  if (!['test', 'tools', 'login', 'logout'].includes(action ?? '') || name === undefined || more.length > 0) {
    process.stderr.write(usage)
    return 2
  }
  // For one of the configuration, the database isn't needed.
  const settings = configured.servers.has(name) ? configured : await withThoseAdded(configured, open)
  const server = settings.servers.get(name)
  if (server === undefined) {
    const names = [...settings.servers.keys()].join(', ') || 'none'
    process.stderr.write(`${mcpWords.unknownServerInTerminal({ name, names })}\n`)
    return 1
  }
  try {
    if (action === 'login' || action === 'logout') return await changeLogin(action, { name, server }, config, settings)
    await tryServer([name, server], config, settings, (started) => {
      const { offered: tools, leftOut } = triedTools([name, server], started, settings)
      say(`${name} is ${visible(oneLine(started.client.about, 100))}, with ${counted(tools.length, 'tool')}.`)
      if (leftOut !== '') say(leftOut)
      for (const tool of action === 'tools' ? tools : []) {
        const called = server.tools[tool.name]?.alias ?? toolName(name, tool.name)
        say(`  ${visible(oneLine(tool.name, 100))} (${called}): ${visible(oneLine(tool.description, 200))}`)
      }
    })
    return 0
  } catch (thrown) {
    // One that nobody logs in to can be used.
    const isUsable = thrown instanceof Failure && thrown.code === 'mcp_no_login'
    const message = isUsable ? thrown.message : `${name} can’t be used: ${reasonOf(thrown)}`
    const remedy = thrown instanceof Failure ? thrown.remedy : ''
    process.stderr.write(`${sentencesOf({ message, remedy })}\n`)
    return 1
  }
}

async function withThoseAdded(configured: McpSettings, open: Open): Promise<McpSettings> {
  const store = await open()
  return store === undefined ? configured : withAdded(configured, store)
}

/** Those of the configuration are listed whatever the database says. */
async function listServers(configured: McpSettings, open: Open): Promise<number> {
  const line = (name: string, server: ServerSettings, added = '') =>
    `${name}  ${transportOf(server)}, ${server.enabled ? 'enabled' : 'switched off'}${added}  ${server.command ?? server.url}`
  for (const [name, server] of configured.servers) say(line(name, server))
  const { servers } = await withThoseAdded(configured, open)
  if (servers.size === 0) say(mcpWords.noneConfigured())
  for (const [name, server] of servers)
    if (!configured.servers.has(name)) say(line(name, server, `, ${mcpWords.serverOrigin()}`))
  return 0
}

async function changeLogin(
  action: 'login' | 'logout',
  named: { name: string; server: ServerSettings },
  config: Config,
  settings: McpSettings,
): Promise<number> {
  const { logIn, logOut } = await import('./login/log-in.ts')
  const { name, server } = named
  const isOfTenants = server.scope === 'tenant'
  const ofWorkspaces = isOfTenants ? ` ${mcpWords.workspacesChangeLogins()}` : ''
  if (action === 'logout') {
    const isRevoked = await logOut(named, config, settings)
    const said = isRevoked ? mcpWords.loginDeletedRemotely({ name }) : mcpWords.loginDeleted({ name })
    process.stdout.write(`${said}${ofWorkspaces}\n`)
    return 0
  }
  const show = (url: URL) => void process.stdout.write(`${mcpWords.loginInTerminal({ href: url.href })}\n`)
  const isNew = await logIn(named, config, settings, { show })
  const loggedIn = isOfTenants ? mcpWords.tenantLoginFromTerminal({ name }) : mcpWords.loggedInFromTerminal({ name })
  process.stdout.write(`${isNew ? loggedIn : mcpWords.loginNotNeededNow({ name })}${ofWorkspaces}\n`)
  return 0
}
