import { createHash } from 'node:crypto'
import { Failure } from '../../../kit/failure.ts'
import type { ServerSettings } from '../settings.ts'
import { mcpWords } from '../words.ts'

/** What model APIs take as the name of a function. */
const longest = 64

/** The name under which a model calls a tool of a server. Names that don't fit are shortened and get a short hash. */
export function toolName(server: string, tool: string): string {
  const whole = `mcp__${server}__${tool}`
  const plain = whole.replace(/[^A-Za-z0-9_-]/g, '_')
  if (plain === whole && whole.length <= longest) return whole
  const mark = createHash('sha256').update(whole).digest('hex').slice(0, 8)
  return `${plain.slice(0, longest - mark.length - 1)}_${mark}`
}

/** Whether a tool of this server may have this name. */
export const isNameOf = (server: string, name: string): boolean =>
  name.length <= longest && /^[A-Za-z0-9_-]+$/.test(name) && name.startsWith(`mcp__${server}__`)

/** Whether the configuration leaves a tool of the server out. */
export const isOff = ({ tools }: Pick<ServerSettings, 'tools'>, tool: string): boolean =>
  Object.hasOwn(tools, tool) && tools[tool]?.enabled === false

/** The server no longer lists the tool. */
export const goneFrom = (server: string, tool: string): Failure =>
  new Failure('mcp_gone', mcpWords.toolGone({ server, tool }), mcpWords.toolGoneRemedy())
