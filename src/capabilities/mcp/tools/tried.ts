import type { Config } from '../../../config/config.ts'
import { sizeWords } from '../../../kit/text/shown.ts'
import { oneLine, visible } from '../../../kit/text/text.ts'
import type { Started } from '../connection.ts'
import type { McpSettings, ServerSettings } from '../settings.ts'
import { mcpWords } from '../words.ts'
import { isOff, toolName } from './names.ts'
import { isOffered } from './tools.ts'

type Named = [name: string, server: ServerSettings]

/**
 * The tools that models get of a server that was started; what is said of the others, '' if there are none; and those
 * that are set up, but that the server doesn't have.
 */
export function triedTools([name, server]: Named, { client, tools }: Started, { limits }: McpSettings) {
  const { broken = [], beyond = [], more = false } = client.leftOut ?? {}
  const isOn = (tool: string) => !isOff(server, tool)
  const offered = tools.filter((tool) => isOffered(name, server, tool, limits))
  const unfit = tools.filter((tool) => !offered.includes(tool)).map((tool) => tool.name)
  const others = more ? [mcpWords.others()] : []
  const size = sizeWords(limits.definitionBytes)
  const said = [
    saidOf(broken.filter(isOn), (names) => mcpWords.toolsLeftOut({ names })),
    saidOf(unfit.filter(isOn), (names) => mcpWords.toolsUnfit({ names, size })),
    saidOf([...beyond.filter(isOn), ...others], (names) => mcpWords.toolsBeyond({ names, most: limits.tools })),
  ]
  const listed = [...tools.map((tool) => tool.name), ...broken, ...beyond]
  // Of those beyond the limit, only the first ones are known.
  const missing = more ? [] : Object.keys(server.tools).filter((tool) => !listed.includes(tool))
  return { offered, leftOut: said.filter((one) => one !== '').join(' '), missing }
}

const saidOf = (names: string[], say: (shown: string) => string): string =>
  names.length === 0 ? '' : say(visible(oneLine(names.join(', '), 300)))

/** Whether each thread has it: it is neither switched off nor only loaded when somebody needs it. */
export function isForAll([name, server]: Named, tool: string, { tiers }: Pick<Config, 'tiers'>): boolean {
  const own = server.tools[tool]
  const tier = tiers[own?.alias ?? toolName(name, tool)]
  return tier?.enabled !== false && (tier?.always_available ?? own?.always_available ?? true)
}
