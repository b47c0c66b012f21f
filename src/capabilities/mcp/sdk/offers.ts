import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { z } from 'zod'
import type { JsonObject } from '../../../kit/json.ts'
import type { Content, ListedTool, McpResult } from '../port.ts'
import { each, mostParts, unchecked, words } from './checked.ts'
import { contentOf, partSchema, resourceOf, resourceSchema, someOf } from './content.ts'

/**
 * What a server offers besides tools reaches the model as tools, too. A tool of its own with such a name comes first.
 */
export const resourcesTool: ListedTool = {
  name: 'resources',
  description: 'Lists this server’s resources or, with a uri, reads one.',
  parameters: {
    type: 'object',
    properties: { uri: { type: 'string', description: 'As the list shows it. Without it, you get the list.' } },
    additionalProperties: false,
  },
  destructive: false,
  ours: true,
}

export const promptsTool: ListedTool = {
  name: 'prompts',
  description:
    'Lists the prompts that this server offers, which people choose, or returns the text of one. Use one only if a person asks for it.',
  parameters: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'As the list shows it. Without it, you get the list.' },
      arguments: { type: 'object', additionalProperties: { type: 'string' } },
    },
    additionalProperties: false,
  },
  destructive: false,
  ours: true,
}

interface Asking {
  signal: AbortSignal
  timeout: number
}

const mostPages = 20

/** Of one prompt. */
const mostArguments = 32

/** Carries out a call of one of them. */
export async function callOffer(
  client: Client,
  tool: typeof resourcesTool | typeof promptsTool,
  input: JsonObject,
  asking: Asking,
): Promise<McpResult> {
  const content =
    tool === resourcesTool ? await resourceOr(client, input.uri, asking) : await promptOr(client, input, asking)
  return { content, structured: undefined, isError: false }
}

const readSchema = z.object({ contents: unchecked })
const linkSchema = z.object({ name: z.string(), uri: z.string(), description: words })
const templateSchema = z.object({ name: z.string(), uriTemplate: z.string(), description: words })

async function resourceOr(client: Client, uri: unknown, asking: Asking): Promise<Content[]> {
  if (typeof uri === 'string') {
    const { contents } = await client.request({ method: 'resources/read', params: { uri } }, readSchema, asking)
    return someOf(contents, resourceSchema, 'contents', resourceOf)
  }
  const resources = await pages(
    client,
    ['resources/list', 'resources', linkSchema],
    ({ name, uri, description }) => line(`${name} <${uri}>`, description),
    asking,
  )
  const templates = await pages(
    client,
    ['resources/templates/list', 'resourceTemplates', templateSchema],
    ({ name, uriTemplate, description }) => line(`${name} <${uriTemplate}>`, description),
    asking,
  ).catch(noneWithout(asking))
  return listed([
    ...resources,
    ...(templates.length === 0 ? [] : ['Addresses in which you replace {…}:']),
    ...templates,
  ])
}

const textSchema = z.object({ messages: unchecked })
const messageSchema = z.object({ role: z.enum(['user', 'assistant']), content: partSchema })
const promptSchema = z.object({ name: z.string(), description: words, arguments: unchecked.nullish() })
const argumentSchema = z.object({ name: z.string(), required: z.boolean().nullish() })

async function promptOr(
  client: Client,
  { name, arguments: given = {} }: JsonObject,
  asking: Asking,
): Promise<Content[]> {
  if (typeof name === 'string') {
    const texts = Object.fromEntries(Object.entries(given as JsonObject).map(([key, value]) => [key, String(value)]))
    const params = { name, arguments: texts }
    const { messages } = await client.request({ method: 'prompts/get', params }, textSchema, asking)
    return someOf(messages, messageSchema, 'messages', ({ role, content }) => [
      ...(role === 'user' ? [] : [{ kind: 'text' as const, text: '[An example of an answer:]' }]),
      contentOf(content),
    ])
  }
  return listed(await pages(client, ['prompts/list', 'prompts', promptSchema], promptLine, asking))
}

function promptLine({ name, description, arguments: wanted }: z.infer<typeof promptSchema>): string {
  const all = wanted ?? []
  const names = each(argumentSchema, all.slice(0, mostArguments), 'arguments').map((one) =>
    one.required ? one.name : `${one.name}?`,
  )
  if (all.length > mostArguments) names.push('…')
  return line(names.length === 0 ? name : `${name} (${names.join(', ')})`, description)
}

/** A line for each item of a list, up to a limit; then one that tells that there are more. */
async function pages<Item>(
  client: Client,
  [method, name, schema]: [string, string, z.ZodType<Item>],
  lineOf: (item: Item) => string,
  asking: Asking,
): Promise<string[]> {
  const pageSchema = z.looseObject({ nextCursor: words })
  const lines: string[] = []
  let params: { cursor?: string } = {}
  for (let page = 0; page < mostPages; page++) {
    const { nextCursor, ...rest } = await client.request({ method, params }, pageSchema, asking)
    const items = unchecked.parse(rest[name])
    const room = mostParts - lines.length
    lines.push(...each(schema, items.slice(0, room), name).map(lineOf))
    if (nextCursor === undefined && items.length <= room) return lines
    if (nextCursor === undefined || items.length >= room) break
    params = { cursor: nextCursor }
  }
  return [...lines, '[more are left out]']
}

/** Many servers have no templates and don't know the question. */
const noneWithout =
  ({ signal }: Asking) =>
  (): never[] => {
    if (signal.aborted) throw signal.reason
    return []
  }

const line = (what: string, description = ''): string =>
  description === '' ? `- ${what}` : `- ${what}: ${description}`

const listed = (lines: string[]): Content[] => [{ kind: 'text', text: lines.join('\n') || 'There are none.' }]
