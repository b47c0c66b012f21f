import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { unlessAborted } from '../../../kit/abort.ts'
import { Failure } from '../../../kit/failure.ts'
import type { ConnectMcp, LeftOut, Link, McpClient, McpHost, McpLimits } from '../port.ts'
import { answersOf } from './asked.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { listedTool, resultOf, resultSchema } from './content.ts'
import { callFailure, isOtherAnswer, isTokenless, isUnauthorized, noAnswer, plain } from './failures.ts'
import { farewell } from './farewell.ts'
import { GuardedTransport } from './guarded-transport.ts'
import { list } from './list.ts'
import { Provider } from './oauth.ts'
import { callOffer, promptsTool, resourcesTool } from './offers.ts'
import { withPacedStreams } from './paced.ts'
import { StdioTransport } from './stdio-transport.ts'

/** The limits are ours; the SDK's are set so high that they don't count. */
const never = 2_147_483_647

/** Version 1 of the official SDK. */
export const connectMcp: ConnectMcp = async (link, host, limits, signal) => {
  const client = newClient(host)
  const transport = await transportFor(link, limits)
  const guarded = new GuardedTransport(transport)
  try {
    // Some transports wait without end for the server to accept them.
    await unlessAborted(signal, () => client.connect(guarded, { signal, timeout: never }))
  } catch (thrown) {
    await client.close().catch(() => undefined)
    if (signal.aborted) throw signal.reason
    if (isUnauthorized(thrown)) throw new Failure('mcp_login', 'it wants somebody to log in', '', { cause: thrown })
    if (isTokenless(thrown)) throw thrown
    throw new Failure('mcp_unreachable', `it didn’t answer: ${plain(guarded.endedBy ?? thrown, host.mask)}`, '', {
      cause: thrown,
    })
  }
  client.onclose = () => host.closed()
  return clientOf(client, transport, { ...limits, mask: host.mask }, () => guarded.endedBy)
}

function newClient(host: McpHost): Client {
  const sampling = host.sample === undefined ? {} : { sampling: {} }
  const client = new Client(
    { name: 'bobbin', version: '1' },
    {
      capabilities: { roots: {}, elicitation: { form: {} }, ...sampling },
      // Schemas are the server's, and checking answers against them would run its regular expressions.
      jsonSchemaValidator: {
        getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
      },
    },
  )
  client.fallbackRequestHandler = answersOf(host)
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => host.toolsChanged())
  return client
}

function clientOf(
  client: Client,
  transport: Transport,
  { mask, ...limits }: McpLimits & Pick<McpHost, 'mask'>,
  endedBy: () => Error | undefined,
): McpClient {
  const { name = 'unknown', version = '' } = client.getServerVersion() ?? {}
  const has = client.getServerCapabilities() ?? {}
  const offers = [...(has.resources ? [resourcesTool] : []), ...(has.prompts ? [promptsTool] : [])]
  let own: ReadonlySet<string> = new Set()
  let leftOut: LeftOut | undefined
  return {
    about: mask(`${name} ${version}`.trim()),
    get leftOut() {
      return leftOut
    },
    async listTools(signal) {
      // One that offers other things may have none.
      if (has.tools === undefined && offers.length > 0) return offers
      const tools = await list(client, limits, mask, { signal, timeout: never })
      leftOut = tools.leftOut
      // A tool is called by its name, so one whose name holds a secret is left out.
      const shown = tools.usable.filter((tool) => mask(tool.name) === tool.name)
      const byName = new Map(shown.map((tool) => [tool.name, listedTool(tool, mask)]))
      own = new Set(byName.keys())
      return [...byName.values(), ...offers.filter((one) => !byName.has(one.name))]
    },
    async call(tool, input, signal, progress) {
      signal.throwIfAborted()
      try {
        const offer = offers.find((one) => one.name === tool && !own.has(tool))
        if (offer !== undefined) return await callOffer(client, offer, input, { signal, timeout: never })
        const request = { method: 'tools/call' as const, params: { name: tool, arguments: input } }
        const options = { signal, timeout: never, onprogress: progress }
        return resultOf(await client.request(request, resultSchema, options))
      } catch (thrown) {
        // The SDK reports that like an error of the server's.
        if (signal.aborted) throw noAnswer(thrown, mask)
        throw callFailure(thrown, mask, endedBy())
      }
    },
    async ping(signal) {
      try {
        await client.ping({ signal, timeout: never })
      } catch (thrown) {
        // The SDK reports that like an error of the server's.
        if (signal.aborted || !isOtherAnswer(thrown)) throw thrown
        throw new Failure('mcp_other_answer', plain(thrown, mask), '', { cause: thrown })
      }
    },
    async close() {
      await farewell(transport)
      await client.close()
    },
  }
}

/** The tokens are no longer good, and nobody is here to log in again. */
const loginIsOver = (): never => {
  throw new Failure('mcp_login', 'its login has run out', '')
}

async function transportFor(link: Link, { messageBytes }: McpLimits): Promise<Transport> {
  if (link.kind === 'stdio') return new StdioTransport(link, messageBytes)
  const { url, headers, login } = link
  const authProvider = login && new Provider(login, '', loginIsOver)
  const fetch = boundedFetch(messageBytes, url)
  const options = {
    fetch: withPacedStreams(authProvider?.refreshing(fetch) ?? fetch),
    requestInit: { headers },
    ...(authProvider !== undefined && { authProvider }),
  }
  if (link.kind === 'http') {
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js')
    return new StreamableHTTPClientTransport(url, options)
  }
  if (link.kind === 'sse') {
    const { SSEClientTransport } = await import('@modelcontextprotocol/sdk/client/sse.js')
    return new SSEClientTransport(url, options)
  }
  const { WebSocketTransport } = await import('./websocket-transport.ts')
  return new WebSocketTransport(url, messageBytes)
}
