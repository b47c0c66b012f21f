import { isIP } from 'node:net'
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import { isPublicAddress } from '../../../kit/net/address.ts'
import { plainHost } from '../../../kit/net/host.ts'

/**
 * A server names the addresses at which one logs in. One outside must not make us fetch from our own network, so
 * besides itself these are public and encrypted. One inside could reach the others itself.
 */
function mayFetch(url: URL, server: URL): boolean {
  return url.host === server.host || isInside(server) || (url.protocol === 'https:' && !isInside(url))
}

/** By name or number. What a public name resolves to isn't looked at. */
function isInside({ hostname }: URL): boolean {
  const host = plainHost(hostname)
  if (isIP(host) !== 0) return !isPublicAddress(host)
  return !host.includes('.') || /\.(local|internal|localhost|lan|home|corp|intranet)$/.test(host)
}

/** For what isn't a message, such as where one logs in. The SDK describes each fault in it at length. */
const mostBytesOfOthers = 65_536

/** What the SDK accepts when it speaks the protocol. */
const speaks = (init: RequestInit | undefined): boolean =>
  new Headers(init?.headers).get('accept')?.includes('text/event-stream') === true

/** Fetches with a limit for each message: the body, or one event of a stream of events. */
export const boundedFetch =
  (mostBytes: number, server: URL): FetchLike =>
  async (url, init) => {
    if (!mayFetch(new URL(url), server))
      throw new Error(`the server sends us to ${new URL(url).host}, where we don’t go`)
    const response = await fetch(url, init)
    if (response.body === null) return response
    const most = speaks(init) ? mostBytes : Math.min(mostBytes, mostBytesOfOthers)
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true
    const { status, statusText, headers } = response
    return new Response(response.body.pipeThrough(limit(most, isStream)), { status, statusText, headers })
  }

/** Fetches until this is aborted: also what comes after the headers. */
export const fetchUntil =
  (signal: AbortSignal, fetching: FetchLike): FetchLike =>
  (url, init) =>
    fetching(url, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, signal]) : signal })

function limit(mostBytes: number, isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      const end = isStream ? eventEnd(chunk) : -1
      bytes = end < 0 ? bytes + chunk.length : chunk.length - end
      if (bytes > mostBytes) controller.error(new Error('the server sent a message that is too large'))
      else controller.enqueue(chunk)
    },
  })
}

/** After the last empty line, which ends an event; -1 if there is none. */
function eventEnd(chunk: Uint8Array): number {
  const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  return Math.max(text.lastIndexOf('\n\n'), text.lastIndexOf('\r\n\r\n'))
}
