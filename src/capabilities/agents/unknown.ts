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
  const all = [...tools, transferBack, ...[...agents.keys()].map(transferOf)]
  const isTool = (name: string) => all.some((tool) => fitsName(name, tool)) || mayBe(name.replace(/\*$/, ''))
  const section = config.sections.mcp_servers as { servers?: object } | undefined
  const servers = Object.keys(section?.servers ?? {})
  return [...agents.values()].flatMap(({ name: agent, isOn, tools: own = [], servers: named = [], rules }) => {
    if (!isOn) return []
    const tool = (path: PropertyKey[]) => (name: string, place: number) =>
      isTool(name) ? [] : { path: ['agents', agent, ...path, place], what: 'tool', name, known: tools }
    const denied = Object.keys(rules.deny).flatMap((name) =>
      isTool(name) ? [] : { path: ['agents', agent, 'rules', 'deny', name], what: 'tool', name, known: tools },
    )
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
      ...own.flatMap(tool(['tools'])),
      ...strange,
      ...rules.ask.flatMap(tool(['rules', 'ask'])),
      ...denied,
    ]
  })
}
