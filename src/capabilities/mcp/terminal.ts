import type { Config } from '../../config/config.ts'
import { Failure, reasonOf } from '../../kit/failure.ts'
import { counted } from '../../kit/text/shown.ts'
import { oneLine, visible } from '../../kit/text/text.ts'
import { tryServer } from './checks.ts'
import { type McpSettings, transportOf } from './settings.ts'
import { toolName } from './tools/names.ts'

const usage = 'Usage: mcp list | mcp test <server> | mcp tools <server>\n'

/** `bobbin mcp`: the servers of the configuration, tried from the command line. Returns the exit code. */
export async function mcpCommand(
  [action, name, ...more]: string[],
  config: Config,
  settings: McpSettings,
): Promise<number> {
  const say = (text: string) => void process.stdout.write(`${text}\n`)
  if (action === 'list' && name === undefined) {
    if (settings.servers.size === 0) say('There are no MCP servers. See config/mcp_servers.yaml.')
    for (const [one, server] of settings.servers)
      say(
        `${one}  ${transportOf(server)}, ${server.enabled ? 'enabled' : 'switched off'}  ${server.command ?? server.url}`,
      )
    return 0
  }
  if ((action !== 'test' && action !== 'tools') || name === undefined || more.length > 0) {
    process.stderr.write(usage)
    return 2
  }
  const server = settings.servers.get(name)
  if (server === undefined) {
    const names = [...settings.servers.keys()].join(', ') || 'none'
    process.stderr.write(`There is no MCP server ${name} in config/mcp_servers.yaml. There are: ${names}.\n`)
    return 1
  }
  try {
    await tryServer([name, server], config, settings, ({ client, tools }) => {
      say(`${name} is ${client.about}, with ${counted(tools.length, 'tool')}.`)
      for (const tool of action === 'tools' ? tools : []) {
        const called = server.tools[tool.name]?.alias ?? toolName(name, tool.name)
        say(`  ${tool.name} (${called}): ${visible(oneLine(tool.description, 200))}`)
      }
    })
    return 0
  } catch (thrown) {
    const remedy = thrown instanceof Failure && thrown.remedy !== '' ? ` ${thrown.remedy}` : ''
    process.stderr.write(`${name} can’t be used: ${reasonOf(thrown)}${remedy}\n`)
    return 1
  }
}
