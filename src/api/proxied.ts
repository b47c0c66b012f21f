import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'

/** What proxies and tunnels add to the requests that they pass on. */
const ofProxies = [
  /^((x-)?forwarded|via|cdn-loop|x-real-ip|x-scheme|(true|fastly|fly|x|x-cluster)-client-ip|remote-user)$/,
  /^(x-forwarded|x-original|x-envoy|x-amzn|x-auth-request|x-pomerium|cf|tailscale)-/,
]

/** Whether it shows that a request came through a proxy. Some add nothing, but speak HTTP/1.0, or change the `Host`. */
export function isProxied(context: Context): boolean {
  const { incoming }: Partial<HttpBindings> = context.env ?? {}
  const addsHeader = Object.keys(context.req.header()).some((name) => ofProxies.some((of) => of.test(name)))
  return addsHeader || incoming?.httpVersion === '1.0' || isRenamed(context)
}

/** Another site's page may link to the console. Otherwise, what leads to an address is a page of the same host. */
function isRenamed(context: Context): boolean {
  const { host = '', referer = '', 'sec-fetch-site': site } = context.req.header()
  if (ofAnotherSite(context) || (site === undefined && opensPage(context))) return false
  return URL.canParse(referer) && new URL(referer).host !== host.toLowerCase()
}

/** Whether a browser opens it as a page of its own. Some say only what they accept then. */
export const opensPage = (context: Context): boolean => /\btext\/html\b/.test(context.req.header('accept') ?? '')

/** Whether another site's page loads this. Following a link there isn't loading. */
export const isLoadedElsewhere = (context: Context): boolean =>
  ofAnotherSite(context) && context.req.header('sec-fetch-mode') !== 'navigate'

const ofAnotherSite = (context: Context): boolean =>
  ['cross-site', 'same-site'].includes(context.req.header('sec-fetch-site') ?? '')
