import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { logIn } from '../../src/capabilities/mcp/login/log-in.ts'
import { openServer } from '../../src/capabilities/mcp/open.ts'
import type { FormValue, ListedTool, McpHost } from '../../src/capabilities/mcp/port.ts'
import { Marks } from '../../src/capabilities/mcp/process/marks.ts'
import { mcpSection } from '../../src/capabilities/mcp/settings.ts'
import { settingsIn } from '../../src/config/section.ts'
import { Failure } from '../../src/kit/failure.ts'
import { lateSandbox } from '../../src/kit/sandbox/late.ts'
import { freePort } from '../support/free-port.ts'

const limits = {
  ...{ start_ms: 20_000, call_ms: 20_000, answer_ms: 20_000, idle_ms: 600_000, message_bytes: 1_048_576, tools: 128 },
  ...{ definition_bytes: 32_768, files: 20, at_once: 64 },
}
const sandbox = { memory_bytes: 1_073_741_824, processes: 100, file_bytes: 1_048_576, temporary_bytes: 1_048_576 }

/** Who we are to the server, in scenarios that say so. */
export interface Registered {
  client_id?: string
  client_secret?: string
}

/**
 * What the official suite watches: opens a server and calls all of its tools, with as many logins as a patient person would
 * go through. Only the person with the browser is played here; all else is the bot's.
 */
export async function meet(url: string, { client_id, client_secret }: Registered): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bobbin-conformance-'))
  const oauth = { ...(client_id && { client_id }), ...(client_secret && { client_secret }) }
  const mcp_servers = {
    servers: { x: { url, oauth } },
    limits,
    sandbox,
    logins: { port: await freePort(), client_document: 'https://conformance-test.local/client-metadata.json' },
  }
  const settings = settingsIn({ sections: { mcp_servers } }, mcpSection)
  const server = settings.servers.get('x')
  if (server === undefined) throw new Error('there is no server')
  const config = { dataDir, configDir: dataDir, variables: {}, searchPath: '' }
  const named = { name: 'x', server }
  const deps = { config, settings, sandbox: lateSandbox(), marks: new Marks(dataDir), mask: String, learn() {} }
  const open = () => openServer({ ...named, scope: '' }, host, { signal: AbortSignal.timeout(60_000), deps })
  try {
    for (let logins = 3; ; logins--) {
      try {
        return await callAll(open)
      } catch (thrown) {
        if (!wantsLogin(thrown) || logins === 0) throw thrown
        // A browser follows where it is sent.
        await logIn(named, config, settings, { show: (address) => void fetch(address) })
      }
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function callAll(open: () => ReturnType<typeof openServer>): Promise<void> {
  const { client, tools, stop } = await open()
  try {
    for (const tool of tools) await client.call(tool.name, argumentsFor(tool), AbortSignal.timeout(60_000), () => {})
  } finally {
    await stop()
  }
}

const host: McpHost = {
  roots: () => [],
  // People take what the form suggests.
  elicit: async ({ fields }) => ({
    action: 'accept',
    content: Object.fromEntries(
      fields.flatMap(({ name, otherwise }): [string, FormValue][] =>
        otherwise === undefined ? [] : [[name, otherwise]],
      ),
    ),
  }),
  sample: undefined,
  toolsChanged() {},
  closed() {},
  mask: String,
}

const wantsLogin = (thrown: unknown): boolean => thrown instanceof Failure && thrown.code === 'mcp_login'

function argumentsFor({ parameters }: ListedTool) {
  const properties = (parameters.properties ?? {}) as Record<string, { type?: string }>
  const value = { number: 5, integer: 5, boolean: true } as Record<string, FormValue>
  return Object.fromEntries(Object.entries(properties).map(([name, { type }]) => [name, value[type ?? ''] ?? 'text']))
}
