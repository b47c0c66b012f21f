import { plainHost } from '../../kit/net/host.ts'

/** A secret that `http_fetch` may send. */
export interface SentSecret {
  value: string
  /** As in the settings. */
  hosts: readonly string[]
}

/**
 * Whether a host of the settings, such as `api.example.com`, `*.example.com` or `http://host`, is the one of an
 * address.
 */
export function isFor(url: URL, host: string): boolean {
  const isPlain = host.startsWith('http://')
  if (url.protocol !== 'https:' && !isPlain) return false
  const wanted = isPlain ? host.slice('http://'.length) : host
  const reached = plainHost(url.hostname)
  return wanted.startsWith('*.') ? reached.endsWith(wanted.slice(1)) : reached === wanted
}
