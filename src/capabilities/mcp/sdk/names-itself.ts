import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'

const described = /\/\.well-known\/(oauth-authorization-server|openid-configuration)/

/** Whether an address is one at which a server that gives tokens describes itself. */
export const isDescription = (url: string | URL): boolean => described.test(new URL(url).pathname)

/**
 * Calls `heed` with whether a server that gives tokens says that it always names itself to browsers that it sends back
 * (RFC 9207). The SDK leaves that out of what it reads in OpenID's form.
 */
export const heedingNames =
  (send: FetchLike, heed: (always: boolean) => void): FetchLike =>
  async (url, init) => {
    const response = await send(url, init)
    if (!response.ok || !isDescription(url)) return response
    // What can't be read is the SDK's to complain about.
    const about: unknown = await response
      .clone()
      .json()
      .catch(() => undefined)
    const always = 'authorization_response_iss_parameter_supported'
    heed(typeof about === 'object' && about !== null && always in about && about[always] === true)
    return response
  }
