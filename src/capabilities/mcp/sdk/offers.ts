import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import {
  GetPromptResultSchema,
  ListPromptsResultSchema,
  ListResourcesResultSchema,
  ListResourceTemplatesResultSchema,
  ReadResourceResultSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { JsonObject } from '../../../kit/json.ts'
import type { Content, ListedTool, McpResult } from '../port.ts'
import { contentOf } from './content.ts'

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

async function resourceOr(client: Client, uri: unknown, asking: Asking): Promise<Content[]> {
  if (typeof uri === 'string') {
    const { contents } = await client.request(
      { method: 'resources/read', params: { uri } },
      ReadResourceResultSchema,
      asking,
    )
    return contents.map((resource) => contentOf({ type: 'resource', resource }))
  }
  const resources = await pages((params) =>
    client
      .request({ method: 'resources/list', params }, ListResourcesResultSchema, asking)
      .then(({ resources, nextCursor }) => ({ items: resources, nextCursor })),
  )
  const templates = await pages((params) =>
    client
      .request({ method: 'resources/templates/list', params }, ListResourceTemplatesResultSchema, asking)
      .then(({ resourceTemplates, nextCursor }) => ({ items: resourceTemplates, nextCursor })),
  ).catch(noneWithout(asking))
  return listed([
    ...resources.map(({ name, uri, description }) => line(`${name} <${uri}>`, description)),
    ...(templates.length === 0 ? [] : ['Addresses in which you replace {…}:']),
    ...templates.map(({ name, uriTemplate, description }) => line(`${name} <${uriTemplate}>`, description)),
  ])
}

async function promptOr(
  client: Client,
  { name, arguments: given = {} }: JsonObject,
  asking: Asking,
): Promise<Content[]> {
  if (typeof name === 'string') {
    const texts = Object.fromEntries(Object.entries(given as JsonObject).map(([key, value]) => [key, String(value)]))
    const params = { name, arguments: texts }
    const { messages } = await client.request({ method: 'prompts/get', params }, GetPromptResultSchema, asking)
    return messages.flatMap(({ role, content }): Content[] => [
      ...(role === 'user' ? [] : [{ kind: 'text' as const, text: '[An example of an answer:]' }]),
      contentOf(content),
    ])
  }
  const prompts = await pages((params) =>
    client
      .request({ method: 'prompts/list', params }, ListPromptsResultSchema, asking)
      .then(({ prompts, nextCursor }) => ({ items: prompts, nextCursor })),
  )
  return listed(
    prompts.map(({ name, description, arguments: wanted = [] }) => {
      const names = wanted.map((one) => (one.required ? one.name : `${one.name}?`)).join(', ')
      return line(names === '' ? name : `${name} (${names})`, description)
    }),
  )
}

async function pages<Item>(
  ask: (params: { cursor?: string }) => Promise<{ items: Item[]; nextCursor?: string | undefined }>,
): Promise<Item[]> {
  const all: Item[] = []
  let params: { cursor?: string } = {}
  for (let page = 0; page < mostPages; page++) {
    const { items, nextCursor } = await ask(params)
    all.push(...items)
    if (nextCursor === undefined) break
    params = { cursor: nextCursor }
  }
  return all
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
