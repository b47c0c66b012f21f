import { z } from 'zod'
import { camel } from '../../config/camel.ts'
import { bytes, milliseconds } from '../../config/figures.ts'
import type { SettingsSection } from '../../config/section.ts'

const texts = z.record(z.string().min(1), z.string())
const effect = z.enum(['read', 'write', 'external'])

const toolEntry = z.strictObject({
  enabled: z.boolean().default(true),
  alias: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/)
    .optional()
    .describe('What the model calls it, instead of mcp__<server>__<tool>'),
  description: z.string().min(1).optional().describe('Shown to the model instead of the server’s own'),
  always_available: z.boolean().default(true).describe('false: a person loads it with @name'),
  effect: effect.optional().describe('What it does, whatever the server says'),
  repeatable: z.boolean().default(false).describe('true: running it twice does no more than running it once'),
  sends: z.boolean().optional().describe('false: it sends nothing out'),
})

/** An entry of `servers`. */
export const serverEntry = z
  .strictObject({
    command: z.string().min(1).optional(),
    args: z.array(z.string()).default([]),
    directory: z
      .string()
      .min(1)
      .optional()
      .describe('Where it runs; a folder of its own in the data directory if missing'),
    env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string()).default({}),
    url: z.string().min(1).optional(),
    headers: texts.default({}),
    transport: z.enum(['stdio', 'http', 'sse', 'websocket']).optional(),
    enabled: z.boolean().default(true),
    lazy_startup: z.boolean().default(true).describe('false: it is started with the bot'),
    scope: z
      .enum(['shared', 'tenant', 'session'])
      .default('shared')
      .describe('Whether all use the same server, or each workspace or thread gets its own'),
    oauth: z
      .strictObject({ client_id: z.string().min(1), client_secret: z.string().min(1), scope: z.string().min(1) })
      .partial()
      .default({})
      .describe('For servers where clients are registered by hand, or that need a certain scope'),
    sandbox: z.boolean().default(false),
    hosts: z.array(z.string().min(1)).default([]).describe('Which hosts it may reach from the sandbox'),
    trusted: z.boolean().default(false).describe('true: what its tools return is not marked as somebody else’s words'),
    effect: effect.default('external'),
    sends: z.boolean().default(true),
    sampling: z.boolean().default(false).describe('true: it may send requests to our model, which the thread pays for'),
    call_ms: milliseconds.optional(),
    tools: z.record(z.string().min(1), toolEntry).default({}),
  })
  .superRefine(({ command, args, directory, url, transport, sandbox, hosts, headers, env }, context) => {
    const wrong = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if ((command === undefined) === (url === undefined)) return wrong('command', 'give either a command or a url')
    if (command !== undefined && transport !== undefined && transport !== 'stdio')
      wrong('transport', 'a command is spoken to over stdio')
    if (url !== undefined && transport === 'stdio') wrong('transport', 'a url is not spoken to over stdio')
    if (url !== undefined && sandbox) wrong('sandbox', 'only a command can run in the sandbox')
    if (url !== undefined && !/^(https?|wss?):\/\/|^\$\{/.test(url)) wrong('url', 'it begins with https:// or http://')
    if (Object.keys(headers).length > 0 && (transport === 'websocket' || /^ws/.test(url ?? '')))
      wrong('headers', 'a websocket has none')
    if (url !== undefined && Object.keys(env).length > 0) wrong('env', 'only a command has an environment')
    if (url !== undefined && args.length > 0) wrong('args', 'only a command has arguments')
    if (url !== undefined && directory !== undefined) wrong('directory', 'only a command has a directory')
    if (command !== undefined && sandbox && directory !== undefined)
      wrong('directory', 'in the sandbox, it runs in a folder of its own')
    if (!sandbox && hosts.length > 0) wrong('hosts', 'they are only for a command in the sandbox')
    if (command !== undefined && Object.keys(headers).length > 0) wrong('headers', 'only a url has headers')
  })

/** With two underscores together, or one at its end, its tools could have the names of another server's. */
const nameOfServer = /^(?!.*__)[A-Za-z0-9](?:[A-Za-z0-9_-]{0,30}[A-Za-z0-9-])?$/
export const nameRule = 'a name has up to 32 letters, digits, _ and -, but not __, and no _ at its end'
export const isServerName = (name: string): boolean => nameOfServer.test(name)

const schema = z
  .strictObject({
    servers: z.record(z.string(), serverEntry).superRefine((servers, context) => {
      const strange = Object.keys(servers).filter((name) => !isServerName(name))
      for (const name of strange) context.addIssue({ code: 'custom', path: [name], message: nameRule })
    }),
    limits: z.strictObject({
      start_ms: milliseconds,
      call_ms: milliseconds,
      answer_ms: milliseconds,
      idle_ms: milliseconds,
      message_bytes: z.int().min(65_536),
      tools: z.int().min(1).max(1000),
      definition_bytes: z.int().min(1024),
      files: z.int().min(0).max(100),
      at_once: z.int().min(1).max(1000),
    }),
    sandbox: z.strictObject({
      memory_bytes: z.int().min(16_777_216),
      processes: z.int().min(4).max(10_000),
      file_bytes: bytes,
      temporary_bytes: bytes,
    }),
    logins: z
      .strictObject({
        public_url: z.url().describe('Where browsers reach the bot, if they run elsewhere'),
        host: z.string().min(1).describe('Where it listens while somebody logs in'),
        port: z.int().min(0).max(65535),
        key: z.string().min(1).describe('Encrypts the tokens on disk'),
        client_document: z
          .url({ protocol: /^https$/ })
          .describe(
            'The address where you publish Bobbin’s client metadata, for servers that don’t let it register itself',
          ),
      })
      .partial()
      .default({}),
  })
  .transform(({ servers, limits, sandbox, logins }) => ({
    servers: new Map(Object.entries(servers)),
    limits: camel(limits),
    sandbox: camel(sandbox),
    logins: camel(logins),
  }))

/** Servers and the limits for all of them. */
export type McpSettings = z.infer<typeof schema>
export type ServerSettings = z.infer<typeof serverEntry>

export const mcpSection: SettingsSection<McpSettings> = { section: 'mcp_servers', file: 'mcp_servers.yaml', schema }

/** How a server is spoken to. */
export function transportOf({ command, url = '', transport }: ServerSettings): 'stdio' | 'http' | 'sse' | 'websocket' {
  if (command !== undefined) return 'stdio'
  return transport === undefined || transport === 'stdio' ? (/^wss?:/.test(url) ? 'websocket' : 'http') : transport
}

/** Whether somebody may have to log in to it, over HTTP or over SSE, which is HTTP as well. */
export function loginWay(server: ServerSettings): 'http' | 'sse' | undefined {
  const transport = transportOf(server)
  return transport === 'http' || transport === 'sse' ? transport : undefined
}

/** The servers that are switched on. */
export const enabledServers = ({ servers }: McpSettings): [name: string, settings: ServerSettings][] =>
  [...servers].filter(([, { enabled }]) => enabled)
