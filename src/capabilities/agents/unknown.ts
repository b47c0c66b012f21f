import { fitsName } from '../../kit/patterns/name.ts'
import type { NameFault, NamesThere, UnknownName } from '../../turn/port/unknown-names.ts'
import { transferBack, transferOf } from './names.ts'
import type { AgentsSettings } from './settings.ts'
import { agentsWords } from './words.ts'

/**
 * Tools and MCP servers that agents mention and nobody has, and agents whose own name means a tool. An agent that is
 * off may mention anything.
 */
export function unknownIn(
  { agents }: AgentsSettings,
  { config, tools, mayBe }: NamesThere,
): (UnknownName | NameFault)[] {
  const section = config.sections.mcp_servers as { servers?: object } | undefined
  const servers = Object.keys(section?.servers ?? {})
  // A pattern may be about servers that are added while the bot runs.
  const ofServers = ['mcp__', ...servers.map((server) => `mcp__${server}__`)]
  const all = [...tools, transferBack, ...[...agents.keys()].map(transferOf), ...ofServers]
  const isTool = (name: string) =>
    all.some((tool) => fitsName(name, tool)) || mayBe(name) || mayBe(name.replace(/\*$/, ''))
  return [...agents.values()].flatMap(({ name: agent, isOn, tools: own = [], servers: named = [], rules }) => {
    if (!isOn) return []
    const look = (name: string, path: PropertyKey[], isRule: boolean) =>
      isTool(name) ? [] : { path: ['agents', agent, ...path], what: 'tool', name, known: tools, isRule }
    const strange = named.flatMap((name, place) =>
      servers.includes(name)
        ? []
        : { path: ['agents', agent, 'mcp_servers', place], what: 'MCP server', name, known: servers },
    )
    const taken = tools.includes(agent)
      ? [
          {
            path: ['agents', agent],
            message: agentsWords.meansTool({ name: agent }),
            remedy: agentsWords.meansToolRemedy(),
          },
        ]
      : []
    return [
      ...taken,
      ...own.flatMap((name, place) => look(name, ['tools', place], false)),
      ...strange,
      ...rules.ask.flatMap((name, place) => look(name, ['rules', 'ask', place], true)),
      ...Object.keys(rules.deny).flatMap((name) => look(name, ['rules', 'deny', name], true)),
    ]
  })
}
