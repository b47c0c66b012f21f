/** An HTTP response. */
export interface Answer {
  status: number
  body?: unknown
  headers?: Record<string, string>
  /** Instead of a body of JSON. */
  text?: string
}

export const json = (body: unknown, status = 200): Answer => ({ status, body })
export const noContent: Answer = { status: 204 }

type Scope = 'user' | 'global' | 'shared' | 'cloudflare'

/** Discord sends whole seconds in the header and the exact time in the body. */
export function rateLimited(retryAfterMs: number, scope: Scope, exact = false): Answer {
  const seconds = retryAfterMs / 1_000
  const headers = { 'retry-after': String(exact ? seconds : Math.ceil(seconds)) }
  if (scope === 'cloudflare') {
    return {
      status: 429,
      headers: { ...headers, 'content-type': 'text/html; charset=UTF-8' },
      text: 'error code: 1015',
    }
  }
  const global = scope === 'global'
  return {
    status: 429,
    headers: { ...headers, 'x-ratelimit-scope': scope, ...(global && { 'x-ratelimit-global': 'true' }) },
    body: { message: 'You are being rate limited.', retry_after: seconds, global },
  }
}
