import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { z } from 'zod'
import { Failure } from '../../../kit/failure.ts'
import { sizeWords } from '../../../kit/text/shown.ts'
import type { LeftOut, McpLimits } from '../port.ts'
import { mcpWords } from '../words.ts'
import { unchecked, words } from './checked.ts'
import { isTokenless, isUnauthorized, plain } from './failures.ts'

const mostPages = 50
/** Of the tools beyond the limit. */
const mostNamed = 20

/**
 * What is used of a tool. The SDK's own schema is stricter, also about what nobody uses. It puts the parts of
 * parameters into this order, which has to stay: a tool that is written differently counts as changed.
 */
const toolSchema = z.object({
  name: z.string(),
  title: words,
  description: words,
  inputSchema: z.looseObject({
    type: z.literal('object'),
    properties: z.unknown().optional(),
    required: z.unknown().optional(),
  }),
  annotations: z.object({ destructiveHint: z.boolean().nullish(), readOnlyHint: z.boolean().nullish() }).nullish(),
})

export type Tool = z.infer<typeof toolSchema>

/** With the SDK's, one tool that breaks the protocol takes all others of its server away. */
export const listSchema = z.object({ tools: unchecked, nextCursor: words })

/** A server's tools, and what is left out. Throws if all of them break the protocol. */
export async function list(
  client: Client,
  limits: McpLimits,
  mask: (text: string) => string,
  options: { signal: AbortSignal; timeout: number },
): Promise<{ usable: Tool[]; leftOut: LeftOut }> {
  const listed: unknown[] = []
  let beyond: unknown[] = []
  let cursor: string | undefined
  let bytes = 0
  for (let page = 0; page < mostPages && listed.length < limits.tools; page++) {
    const params = cursor === undefined ? {} : { cursor }
    // Not `listTools`, which compiles every schema that the server sends.
    const asked = client.request({ method: 'tools/list', params }, listSchema, options)
    // Some servers say hello to anybody, and only then want to know who we are.
    const { tools, nextCursor } = await asked.catch((thrown) => {
      if (options.signal.aborted || isTokenless(thrown)) throw thrown
      if (!isUnauthorized(thrown)) throw unusable(thrown, mask)
      throw new Failure('mcp_login', 'it wants somebody to log in', '', { cause: thrown })
    })
    const fitting = tools.slice(0, limits.tools - listed.length)
    bytes += Buffer.byteLength(JSON.stringify(fitting))
    const most = limits.tools * limits.definitionBytes
    // Each page is within the limit for a message, but there may be many.
    if (bytes > most) throw listsTooMuch(most)
    listed.push(...fitting)
    beyond = tools.slice(fitting.length)
    cursor = nextCursor
    if (cursor === undefined) break
  }
  const usable = listed.flatMap((tool) => toolSchema.safeParse(tool).data ?? [])
  if (listed.length > 0 && usable.length === 0)
    throw unusable(z.object({ tools: z.array(toolSchema) }).safeParse({ tools: listed }).error, mask)
  const broken = listed.filter((tool) => !toolSchema.safeParse(tool).success)
  const names = (all: unknown[]) => all.map((tool) => mask(nameOf(tool)))
  const more = beyond.length > mostNamed || (cursor !== undefined && listed.length >= limits.tools)
  return { usable, leftOut: { broken: names(broken), beyond: names(beyond.slice(0, mostNamed)), more } }
}

const unusable = (thrown: unknown, mask: (text: string) => string): Failure =>
  new Failure('mcp_unreachable', plain(thrown, mask), '', { cause: thrown })

const listsTooMuch = (most: number): Failure =>
  new Failure('mcp_unreachable', mcpWords.listsTooMuch({ size: sizeWords(most) }), mcpWords.listsTooMuchRemedy())

const nameOf = (tool: unknown): string =>
  z.object({ name: z.string() }).safeParse(tool).data?.name ?? 'one without a name'
