import { Failure } from '../failure.ts'
import { plainHost } from '../net/host.ts'

/** What came from an address, already read and checked. */
export interface Fetched {
  /** The last one, after redirects. */
  url: string
  status: number
  /** MIME type without parameters, judged by header and content. */
  type: string
  /** For text: according to the header. Absent if it says nothing, or something unknown. */
  charset: string | undefined
  bytes: Uint8Array
}

export interface FetchOptions {
  /** Text may not be larger, unpacked. */
  pageBytes: number
  /** PDF and images may not be larger, unpacked. */
  downloadBytes: number
  /** For everything, redirects too. */
  timeoutMs: number
  signal: AbortSignal
  /** Whether a redirect may be followed. Without this, all may. */
  mayFollow?(from: URL, to: URL): Promise<boolean>
}

/** A request as it is sent. */
export interface SendOptions extends FetchOptions {
  method: string
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  body: string | undefined
}

/** Whatever the server answered. */
export interface Answered {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** As the header says; '' if it says nothing. */
  type: string
  charset: string | undefined
  /** Undefined if the body couldn't be read; `unread` says why. */
  bytes: Uint8Array | undefined
  unread?: string
}

/** A page as Markdown. */
export interface WebPage {
  /** One line; may be empty. */
  title: string
  markdown: string
  /** Whether the end was left out. */
  isCut: boolean
}

/** Turns HTML into a page, in a process of its own, with limits. Throws Failure, such as `too_complex`. */
export type ReadPage = (
  html: Uint8Array,
  charset: string | undefined,
  url: string,
  signal: AbortSignal,
) => Promise<WebPage>

/** One result of a web search. */
export interface WebResult {
  title: string
  url: string
  /** Plain text. */
  snippet: string
}

/** The web, as far as the bot may see it: public addresses only. */
export interface Web {
  /**
   * Throws Failure: `bad_address` if it isn't http(s) or contains a user name; `private_address` if it leads, by name,
   * notation or redirect, to anything but a public address; `bad_redirect`, `bad_status`, `bad_type`, `too_large`,
   * `timed_out`, `not_reached`.
   */
  fetch(url: string, options: FetchOptions): Promise<Fetched>
  /**
   * Sends one request; redirects aren't followed. Throws Failure: `bad_address`, `private_address`, `not_reached`
   * if nothing was sent, `timed_out` or `no_answer` if it may have been.
   */
  send(url: URL, options: SendOptions): Promise<Answered>
  /** HTML to the Markdown of its main part, in a process of its own, with limits. */
  page: ReadPage
  /** Undefined if no provider is configured. Throws `search_refused`, `search_limit`, `search_failed`, `timed_out`. */
  search: ((query: string, most: number, signal: AbortSignal) => Promise<WebResult[]>) | undefined
}

/**
 * The address as it is requested and shown: notation and case normalised, without what follows `#`. Throws
 * `bad_address`.
 */
export function webAddress(address: string): URL {
  const url = address.length <= addressCharacters ? URL.parse(address.trim()) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw badAddress('It isn’t a web address.', 'Give a full one that begins with https:// or http://.')
  if (url.username !== '' || url.password !== '')
    throw badAddress('It contains a user name or password.', 'Give it without the part before the @.')
  url.hash = ''
  const host = plainHost(url.hostname)
  url.hostname = host.includes(':') ? `[${host}]` : host
  return url
}

const addressCharacters = 4096

const badAddress = (message: string, remedy: string) => new Failure('bad_address', message, remedy)
