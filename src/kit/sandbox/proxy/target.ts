import { isIP } from 'node:net'
import { plainHost } from '../../net/host.ts'

/** Where a request goes. `host` is in lower case; an address has no brackets and is in plain notation. */
export interface Target {
  host: string
  port: number
  /** With the query; '/' for a tunnel. */
  path: string
}

/** From `host:port`. Undefined for anything else. */
export function tunnelTarget(authority: string): Target | undefined {
  if (!/:\d{1,5}$/.test(authority) || /[/?#@\\\s]/.test(authority)) return undefined
  return requestTarget(`http://${authority}`)
}

/** From an absolute `http:` address. Undefined for anything else. */
export function requestTarget(text: string): Target | undefined {
  if (!/^http:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const host = plainHost(url.hostname)
  if (url.username !== '' || url.password !== '' || host === '') return undefined
  return { host, port: url.port === '' ? 80 : Number(url.port), path: `${url.pathname}${url.search}` }
}

/** `*.name` allows every name below, but not the name itself, and never an address. */
export function isGranted(host: string, granted: string[]): boolean {
  return granted.map(plainHost).some((one) => {
    if (!one.startsWith('*.')) return one === host
    return isIP(host) === 0 && one.length > 2 && host.length >= one.length && host.endsWith(one.slice(1))
  })
}
