import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { parseBody, readBytes } from './body.ts'
import { ApiError, checked } from './errors.ts'
import { isLoadedElsewhere, isProxied, opensPage } from './proxied.ts'
import { signInBody } from './schemas.ts'
import { apiWords } from './words.ts'

export interface ConsoleTokens {
  /** Throws 429. */
  isValid(context: Context, token: string): Promise<boolean>
  /** The same for one that was valid, without a request. */
  isInForce(token: string): Promise<boolean>
}

export interface ConsoleAccess {
  /** Set unless bound to loopback: then every request needs a valid token. */
  tokens: ConsoleTokens | undefined
  host: string
  /** The port, once it is listening. */
  port(): number
}

/** Browsers share cookies between all ports of a host, so the cookies of two bots there need different names. */
const cookieFor = (host: string): string => `bobbin_token${/:(\d+)$/.exec(host)?.[1] ?? ''}`

const signInPath = '/sign-in'
const cookieDays = 30

/** What the page that asks for the token is made of. */
const ofSignIn = [
  '/assets/sign-in.js',
  '/assets/theme.js',
  '/assets/icon.svg',
  ...['base', 'controls', 'sign-in'].map((name) => `/assets/styles/${name}.css`),
]

/** Addresses that don't need the console's token: some need none, and some accept one of their own instead. */
export interface Doors {
  open: readonly string[]
  tokens: ReadonlyMap<string, string>
}

/**
 * Who may use the console. On loopback: the console's own pages and programs on this machine, checked by `Host`
 * (against DNS rebinding), `Origin` (against other sites), and what shows a proxy. Otherwise: whoever has a token.
 */
export function guard(access: ConsoleAccess, doors: Doors): MiddlewareHandler {
  const { tokens } = access
  return async (context, next) => {
    const { path } = context.req
    const own = doors.tokens.get(path)
    // Neither another site nor a rebound name has it, and whatever collects metrics may come through a proxy.
    if (own !== undefined && same(bearer(context) ?? '', own)) return next()
    checkSite(context, access)
    if (doors.open.includes(path)) return next()
    if (tokens === undefined) checkIsHere(context)
    if (tokens === undefined || ofSignIn.includes(path)) return next()
    if (context.req.method === 'POST' && path === signInPath) return signIn(context, tokens)
    if (context.req.method === 'POST' && path === '/sign-out') {
      deleteCookie(context, cookieOf(context), { path: '/' })
      return context.body(null, 204)
    }
    // Whoever opens the console in a browser gets the page that asks for the token, also if others guess behind the
    // same proxy.
    const opensConsole = path === '/' && opensPage(context)
    const isValid = async (token: string) => {
      try {
        return await tokens.isValid(context, token)
      } catch (thrown) {
        if (opensConsole && thrown instanceof ApiError) return false
        throw thrown
      }
    }
    const given = context.req.query('token')
    if (given !== undefined && path === '/' && (await isValid(given))) {
      keep(context, given)
      return context.redirect('/')
    }
    const shown = bearer(context) ?? getCookie(context, cookieOf(context)) ?? ''
    if (await isValid(shown)) {
      // An answer may last longer than its token. That nobody can look a token up doesn't end it.
      context.set('mayGoOn', () => tokens.isInForce(shown).catch(() => true))
      return next()
    }
    if (opensConsole) {
      context.set('asksForToken', true)
      return next()
    }
    if (shown === '') throw new ApiError(401, 'token_needed', apiWords.tokenNeeded(), apiWords.tokenNeededRemedy())
    throw new ApiError(401, 'wrong_token', apiWords.notValidNow(), apiWords.tokenNeededRemedy())
  }
}

/** Throws 403 for the names and pages of others. */
function checkSite(context: Context, { tokens, host: bound, port }: ConsoleAccess): void {
  const host = context.req.header('host') ?? ''
  const origin = context.req.header('origin')
  const known = ['127.0.0.1', 'localhost', '[::1]', bound].some((name) => host === `${name}:${port()}` || host === name)
  if (tokens === undefined && !known) {
    const fact = apiWords.foreignHost({ host: JSON.stringify(host) })
    throw new ApiError(403, 'foreign_host', fact, `Use http://127.0.0.1:${port()}.`)
  }
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) {
    throw foreignOrigin(tokens === undefined ? apiWords.foreignOriginRemedy() : apiWords.hostLostRemedy())
  }
}

const foreignOrigin = (remedy: string): ApiError =>
  new ApiError(403, 'foreign_origin', apiWords.foreignOrigin(), remedy)

/** Throws 403 for what comes from elsewhere: without tokens, everybody who reaches a proxy would be the operator. */
function checkIsHere(context: Context): void {
  if (isProxied(context)) throw new ApiError(403, 'proxied', apiWords.proxied(), apiWords.proxiedRemedy())
  if (isLoadedElsewhere(context)) throw foreignOrigin(apiWords.foreignOriginRemedy())
}

/** Takes a token from the page that asks for it. */
async function signIn(context: Context, tokens: ConsoleTokens): Promise<Response> {
  // The interface's description asks for the token, too.
  const { token } = checked(signInBody, parseBody(await readBytes(context, 1_000)), 'Send {"token": "…"}.')
  if (!(await tokens.isValid(context, token)))
    throw new ApiError(401, 'wrong_token', apiWords.invalidToken(), apiWords.invalidTokenRemedy())
  keep(context, token)
  return context.body(null, 204)
}

const cookieOf = (context: Context): string => cookieFor(context.req.header('host') ?? '')

function keep(context: Context, token: string): void {
  setCookie(context, cookieOf(context), token, {
    httpOnly: true,
    sameSite: 'Strict',
    path: '/',
    maxAge: cookieDays * 86_400,
    secure: context.req.header('x-forwarded-proto') === 'https',
  })
}

const bearer = (context: Context): string | undefined =>
  /^Bearer (.+)$/i.exec(context.req.header('authorization') ?? '')?.[1]

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
const same = (given: string, token: string): boolean => timingSafeEqual(digest(given), digest(token))

export const isLoopback = (host: string): boolean => /^(127\.\d+\.\d+\.\d+|::1|localhost)$/.test(host)
