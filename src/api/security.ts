import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { ApiError } from './errors.ts'

export interface ConsoleAccess {
  /** Set unless bound to loopback: then every request needs it. */
  token: string | undefined
  host: string
  /** The port, once it is listening. */
  port(): number
}

/** Browsers share cookies between all ports of a host, so the cookies of two bots there need different names. */
const cookieFor = (host: string): string => `bobbin_token${/:(\d+)$/.exec(host)?.[1] ?? ''}`

/** Addresses that don't need the console's token: some need none, and some accept one of their own instead. */
export interface Doors {
  open: readonly string[]
  tokens: ReadonlyMap<string, string>
}

/**
 * Who may use the console. On loopback: the console's own pages and programs on this machine, checked by `Host`
 * (against DNS rebinding) and `Origin` (against other sites). Otherwise: whoever has the token.
 */
export function guard({ token, host: bound, port }: ConsoleAccess, { open, tokens }: Doors): MiddlewareHandler {
  return async (context, next) => {
    const host = context.req.header('host') ?? ''
    const origin = context.req.header('origin')
    const known = ['127.0.0.1', 'localhost', '[::1]', bound].some(
      (name) => host === `${name}:${port()}` || host === name,
    )
    if (token === undefined && !known) {
      throw new ApiError(
        403,
        'foreign_host',
        `Bobbin doesn’t answer to the host name ${JSON.stringify(host)}.`,
        `Use http://127.0.0.1:${port()}.`,
      )
    }
    if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) {
      throw new ApiError(
        403,
        'foreign_origin',
        'Other sites’ pages may not use the console.',
        'Open the console itself.',
      )
    }
    const { path } = context.req
    if (token === undefined || open.includes(path)) return next()

    const given = context.req.query('token')
    if (given !== undefined && path === '/' && same(given, token)) {
      setCookie(context, cookieFor(host), token, { httpOnly: true, sameSite: 'Strict', path: '/' })
      return context.redirect('/')
    }
    const shown = bearer(context) ?? getCookie(context, cookieFor(host)) ?? ''
    const own = tokens.get(path)
    if (!same(shown, token) && (own === undefined || !same(shown, own))) {
      throw new ApiError(
        401,
        'token_needed',
        'This needs the token that Bobbin printed at start.',
        'Open /?token=… once, or send it as a bearer token.',
      )
    }
    return next()
  }
}

const bearer = (context: Context): string | undefined =>
  /^Bearer (.+)$/i.exec(context.req.header('authorization') ?? '')?.[1]

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
const same = (given: string, token: string): boolean => timingSafeEqual(digest(given), digest(token))

export const isLoopback = (host: string): boolean => /^(127\.\d+\.\d+\.\d+|::1|localhost)$/.test(host)
