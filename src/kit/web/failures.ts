import { Failure } from '../failure.ts'

/** `why`: "it leads to 10.0.0.1". */
export const privateAddress = (why: string): Failure =>
  new Failure(
    'private_address',
    `This address isn’t fetched: ${why}.`,
    'Only public web addresses can be fetched; ask a person for content in your own network.',
    { isOurs: true },
  )

export const notReached = (what: string, cause?: unknown): Failure =>
  new Failure('not_reached', what, 'Check the address, or try again later.', { cause, isOurs: true })

/** The same, for an address that a server chose: these two name its host. */
export function ofTheirAddress(thrown: unknown): unknown {
  if (!(thrown instanceof Failure) || !['private_address', 'not_reached'].includes(thrown.code)) return thrown
  return new Failure(thrown.code, thrown.message, thrown.remedy, { cause: thrown.cause })
}

/** Nothing was sent: its name wasn't looked up by then, or it couldn't be connected to. */
export const notReachedWithin = (timeoutMs: number, host: string): Failure =>
  notReached(`Nothing was sent: it took more than ${timeoutMs / 1000} s to reach ${host}.`)

/** Its text names the header, but doesn’t quote it. */
export const unsendable = (cause: Error): Failure =>
  new Failure(
    'not_reached',
    `Nothing was sent: ${cause.message}.`,
    'Correct the request. If it’s a secret with line breaks or characters such as “, whoever runs the bot has to correct it.',
    { cause },
  )

export const timedOut = (timeoutMs: number): Failure =>
  new Failure('timed_out', `It took more than ${timeoutMs / 1000} s.`, 'Try again later, or use another source.', {
    isOurs: true,
  })

export class TooLarge extends Failure {
  /** The limit. */
  readonly bytes: number

  constructor(bytes: number) {
    const message = `It has more than ${bytes.toLocaleString('en-US')} bytes.`
    super('too_large', message, 'Look for a smaller part of it.', { isOurs: true })
    this.bytes = bytes
  }
}

export const badRedirect = (what: string, remedy: string): Failure => new Failure('bad_redirect', what, remedy)

export const badType = (what: string): Failure =>
  new Failure('bad_type', what, 'Text, HTML, JSON, XML, PDF, PNG, JPEG, GIF and WebP can be fetched.')

/** `retryAfter` as the server sent it: seconds, or a date. */
export function badStatus(status: number, retryAfter: string | undefined): Failure {
  return new Failure('bad_status', `The server answered ${status}.`, remedyFor(status, retryAfter), { isOurs: true })
}

function remedyFor(status: number, retryAfter: string | undefined): string {
  if ([401, 403, 407].includes(status)) return 'It wants a login, or blocks bots: ask a person for the content.'
  if ([404, 410].includes(status)) return 'There is nothing at this address: check it, or search for another.'
  const wait = waitOf(retryAfter)
  if (status === 429 || status === 503)
    return wait === undefined ? 'Try again later.' : `Try again in ${wait} s, not before.`
  return status >= 500 ? 'The trouble is theirs: try again later.' : 'Check the address.'
}

/** In seconds, from a `Retry-After` header; undefined if it says nothing useful. */
export function waitOf(retryAfter: string | undefined, now = Date.now()): number | undefined {
  if (retryAfter === undefined) return undefined
  const seconds = /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : Math.ceil((Date.parse(retryAfter) - now) / 1000)
  return seconds > 0 && seconds < 1_000_000 ? seconds : undefined
}

/** Identifies a network failure, such as ECONNREFUSED. Never its text, which may quote what was sent. */
export const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : 'no answer'
