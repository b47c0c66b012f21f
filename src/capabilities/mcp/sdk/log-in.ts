import {
  auth,
  discoverOAuthProtectedResourceMetadata,
  UnauthorizedError,
} from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import { unlessAborted } from '../../../kit/abort.ts'
import { Failure } from '../../../kit/failure.ts'
import { throwOutage } from '../../../kit/unavailable.ts'
import type { LogInMcp } from '../port.ts'
import { mcpWords } from '../words.ts'
import { boundedFetch, fetchUntil } from './bounded-fetch.ts'
import { isTokenless, plain } from './failures.ts'
import { listSchema } from './list.ts'
import { Provider } from './oauth.ts'

/** Logs in with the help of a person who opens an address. False if that wasn't needed. */
export const logInMcp: LogInMcp = async (
  { url, kind = 'http', state, messageBytes, mask = (text) => text, ...login },
  codeAt,
  signal,
) => {
  const sent = Promise.withResolvers<URL>()
  const authProvider = new Provider(login, state, sent.resolve)
  const fetch = authProvider.refreshing(fetchUntil(signal, boundedFetch(messageBytes, url)))
  const transport =
    kind === 'http'
      ? new StreamableHTTPClientTransport(url, { authProvider, fetch: withoutStream(fetch) })
      : new SSEClientTransport(url, { authProvider, fetch })
  const session = new Client({ name: 'bobbin', version: '1' }, { capabilities: {} })
  try {
    // EventSource takes no notice when it is aborted.
    await unlessAborted(signal, () => session.connect(transport, { signal }))
    // Some servers say hello to anybody.
    await session.request({ method: 'tools/list' }, listSchema, { signal })
    if ((await authProvider.tokens()) !== undefined || !(await offersLogin(url, fetch))) return false
    // Others list their tools to anybody, too, and want a login only for calls.
    if ((await auth(authProvider, { serverUrl: url, fetchFn: fetch })) === 'AUTHORIZED') return false
    throw new UnauthorizedError()
  } catch (thrown) {
    if (!(thrown instanceof UnauthorizedError)) throw failed(thrown, mask)
    const { code, issuer } = await codeAt(await sent.promise)
    const stranger = issuer === undefined ? mcpWords.codeOfNobody : mcpWords.codeOfAnother
    if (!authProvider.isOf(issuer)) throw failed(new Error(stranger()), mask)
    await transport.finishAuth(code).catch((error: unknown) => Promise.reject(failed(error, mask)))
    return true
  } finally {
    await session.close()
    await transport.close()
  }
}

const offersLogin = (url: URL, fetch: FetchLike): Promise<boolean> =>
  discoverOAuthProtectedResourceMetadata(url, {}, fetch).then(
    ({ authorization_servers: servers = [] }) => servers.length > 0,
    () => false,
  )

/**
 * Nobody listens to the server's stream during a login. If it wanted a token, the SDK would begin a second login, whose
 * verifier would replace that of the first. What goes on with an answer that broke off passes.
 */
const withoutStream =
  (send: FetchLike): FetchLike =>
  async (url, init) => {
    const headers = new Headers(init?.headers)
    const isStream = headers.get('accept') === 'text/event-stream' && !headers.has('last-event-id')
    return isStream ? new Response(null, { status: 405 }) : send(url, init)
  }

/** Its cause says only why. Throws in an outage of our own. */
function failed(thrown: unknown, mask: (text: string) => string): Failure {
  throwOutage(thrown)
  const isAway = isTokenless(thrown)
  const reason = isAway ? mcpWords.tokenServerAway() : plain(thrown, mask)
  const remedy = isAway ? mcpWords.tryLaterRemedy() : mcpWords.loginFailedRemedy()
  const cause = new Error(reason, { cause: thrown })
  return new Failure('mcp_login', mcpWords.loginFailedBecause({ reason }), remedy, { cause })
}
