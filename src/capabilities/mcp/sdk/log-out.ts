import { discoverAuthorizationServerMetadata } from '@modelcontextprotocol/sdk/client/auth.js'
import type { LogOutMcp } from '../port.ts'
import { boundedFetch, fetchUntil } from './bounded-fetch.ts'
import { Provider } from './oauth.ts'

/**
 * Has the server that gave the tokens take them back (RFC 7009). The MCP server isn't asked who that is: it could name
 * itself. False if it doesn't say where.
 */
export const logOutMcp: LogOutMcp = async ({ url, messageBytes, ...login }, signal) => {
  const provider = new Provider(login, '', () => undefined)
  const tokens = await provider.tokens()
  const known = await provider.clientInformation()
  if (tokens?.issuer === undefined || known === undefined) return false
  const fetchFn = fetchUntil(signal, boundedFetch(messageBytes, url))
  const server = await discoverAuthorizationServerMetadata(tokens.issuer, { fetchFn })
  const endpoint = server !== undefined && 'revocation_endpoint' in server ? server.revocation_endpoint : undefined
  if (typeof endpoint !== 'string') return false
  const secret = known.client_secret
  // Taking back the refresh token also ends what was made with it; the other may still be good for a while.
  for (const [kind, token] of Object.entries({
    refresh_token: tokens.refresh_token,
    access_token: tokens.access_token,
  })) {
    if (token === undefined) continue
    const fields = {
      token,
      token_type_hint: kind,
      client_id: known.client_id,
      ...(secret && { client_secret: secret }),
    }
    const body = new URLSearchParams(fields)
    // A redirect could lead into our own network.
    const response = await fetchFn(endpoint, { method: 'POST', body, redirect: 'manual' })
    if (!response.ok) return false
  }
  return true
}
