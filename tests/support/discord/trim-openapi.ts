import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

/**
 * Makes tests/fixtures/discord-openapi.json of Discord's whole description:
 * `node tests/support/discord/trim-openapi.ts <openapi.json> && biome format --write tests/fixtures/discord-openapi.json`.
 */

type Node = { [key: string]: unknown }

interface Description {
  openapi: string
  info: Node
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Node> }
}

interface Operation {
  operationId: string
  parameters?: unknown
  requestBody?: { required?: boolean; content: Record<string, { schema: Node }> }
  responses: Record<string, { content?: Record<string, { schema: Node }> }>
}

const message = '/channels/{channel_id}/messages/{message_id}'
const reaction = `${message}/reactions/{emoji_name}`
const webhook = '/webhooks/{webhook_id}/{webhook_token}'
const commands = '/applications/{application_id}/commands'
const guildCommands = '/applications/{application_id}/guilds/{guild_id}/commands'

const used: Record<string, string[]> = {
  '/gateway': ['get'],
  '/gateway/bot': ['get'],
  '/users/@me': ['get'],
  '/users/@me/guilds': ['get'],
  '/users/@me/channels': ['post'],
  '/users/{user_id}': ['get'],
  '/applications/@me': ['get'],
  '/oauth2/applications/@me': ['get'],
  '/guilds/{guild_id}': ['get'],
  '/guilds/{guild_id}/channels': ['get'],
  '/guilds/{guild_id}/members': ['get'],
  '/guilds/{guild_id}/members/search': ['get'],
  '/guilds/{guild_id}/members/{user_id}': ['get'],
  '/guilds/{guild_id}/roles': ['get'],
  '/guilds/{guild_id}/threads/active': ['get'],
  '/channels/{channel_id}': ['get', 'patch', 'delete'],
  '/channels/{channel_id}/messages': ['get', 'post'],
  '/channels/{channel_id}/messages/bulk-delete': ['post'],
  [message]: ['get', 'patch', 'delete'],
  [reaction]: ['get', 'delete'],
  [`${reaction}/@me`]: ['put', 'delete'],
  [`${reaction}/{user_id}`]: ['delete'],
  [`${message}/threads`]: ['post'],
  '/channels/{channel_id}/typing': ['post'],
  '/channels/{channel_id}/threads': ['post'],
  '/channels/{channel_id}/threads/archived/public': ['get'],
  '/channels/{channel_id}/threads/archived/private': ['get'],
  '/channels/{channel_id}/users/@me/threads/archived/private': ['get'],
  '/channels/{channel_id}/thread-members': ['get'],
  '/channels/{channel_id}/thread-members/@me': ['put', 'delete'],
  '/channels/{channel_id}/thread-members/{user_id}': ['get', 'put', 'delete'],
  [commands]: ['get', 'put', 'post'],
  [`${commands}/{command_id}`]: ['get', 'patch', 'delete'],
  [guildCommands]: ['get', 'put', 'post'],
  [`${guildCommands}/{command_id}`]: ['get', 'patch', 'delete'],
  '/interactions/{interaction_id}/{interaction_token}/callback': ['post'],
  [webhook]: ['post'],
  [`${webhook}/messages/@original`]: ['get', 'patch', 'delete'],
  [`${webhook}/messages/{message_id}`]: ['get', 'patch', 'delete'],
}

const json = 'application/json'

/** One schema per body: the forms of multipart and of urlencoded differ from it only in the files. */
function trimOperation({ operationId, parameters, requestBody, responses }: Operation): Node {
  const body = requestBody?.content[json]?.schema
  const answers = Object.entries(responses).flatMap(([status, response]) => {
    if (!/^2/.test(status)) return []
    const schema = response.content?.[json]?.schema
    return [[status, schema ? { content: { [json]: { schema } } } : {}]]
  })
  return {
    operationId,
    ...(parameters ? { parameters } : {}),
    ...(body && { requestBody: { required: requestBody.required ?? false, content: { [json]: { schema: body } } } }),
    responses: Object.fromEntries(answers),
  }
}

function references(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) =>
    key === '$ref' ? [String(value).replace('#/components/schemas/', '')] : references(value),
  )
}

function reached(whole: Description, paths: Node): Record<string, Node> {
  const found = new Map<string, Node>()
  const open = references(paths)
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const schema = whole.components.schemas[name]
    if (schema === undefined) throw new Error(`The description has no schema ${name}.`)
    if (found.has(name)) continue
    found.set(name, schema)
    open.push(...references(schema))
  }
  return Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function trim(whole: Description): Node {
  const paths = Object.fromEntries(
    Object.entries(used).map(([path, methods]) => {
      const { parameters, ...operations } = whole.paths[path] ?? {}
      const kept = methods.map((method) => {
        const operation = operations[method]
        if (operation === undefined) throw new Error(`The description has no ${method} ${path}.`)
        return [method, trimOperation(operation)]
      })
      return [path, { ...(parameters && { parameters }), ...Object.fromEntries(kept) }]
    }),
  )
  return { openapi: whole.openapi, info: whole.info, paths, components: { schemas: reached(whole, paths) } }
}

const [source] = process.argv.slice(2)
if (source === undefined) throw new Error('Name the openapi.json to trim.')
const target = resolve(import.meta.dirname, '../../fixtures/discord-openapi.json')
writeFileSync(target, `${JSON.stringify(trim(JSON.parse(readFileSync(source, 'utf8'))), null, 2)}\n`)
