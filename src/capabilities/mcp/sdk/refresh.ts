import {
  type OAuthClientInformationMixed,
  type OAuthTokens,
  OAuthTokensSchema,
} from '@modelcontextprotocol/sdk/shared/auth.js'
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JsonObject } from '../../../kit/json.ts'
import { throwOutage } from '../../../kit/unavailable.ts'
import type { KeptLogin } from '../port.ts'
import { isAway, tokenless } from './failures.ts'
import { isDescription } from './names-itself.ts'
import { oneByOne } from './one-by-one.ts'

/** What is kept of a login. */
export interface Kept {
  tokens?: OAuthTokens
  client?: OAuthClientInformationMixed
  /** The server wanted more than the tokens allow; '' if that has no name: they may be no longer good. */
  wantedScope?: string
}

/** A refresh that nobody answered: the token that it used, and what was thrown. */
export interface Unanswered {
  token: string
  why: unknown
}

export const readKept = async (kept: KeptLogin): Promise<Kept> => ((await kept.read()) ?? {}) as Kept

export async function changeKept(kept: KeptLogin, change: Kept): Promise<void> {
  await kept.write(asJson({ ...(await readKept(kept)), ...change }))
}

export const asJson = (kept: { [Key in keyof Kept]: Kept[Key] | undefined }): JsonObject =>
  JSON.parse(JSON.stringify(kept))

/** Who gave them isn't theirs to say. */
const answerSchema = OAuthTokensSchema.omit({ issuer: true })

/** By the token that they use, whichever connection makes them. */
const refreshes = oneByOne()
/** How long one may take, since others wait for it. */
const refreshMs = 30_000

/** Whether the server that gives the tokens is away, rather than refusing them. */
const saysNothing = ({ status }: Response): boolean => status >= 500 || status === 429

/**
 * A server may take each refresh token only once, and the SDK forgets a login when one is refused. So refreshes are
 * made one after the other, in all processes, and whoever comes with a token that has been replaced meanwhile gets the
 * new ones. `heard` is called after each with whether nobody answered it.
 */
export const refreshing =
  (
    kept: KeptLogin,
    send: FetchLike,
    heard: (unanswered: Unanswered | undefined) => void = () => undefined,
  ): FetchLike =>
  (url, init) => {
    const fields = init?.body instanceof URLSearchParams ? init.body : undefined
    const token = fields?.get('grant_type') === 'refresh_token' ? fields.get('refresh_token') : undefined
    if (typeof token !== 'string') return send(url, init)
    const refresh = () => send(url, { ...init, signal: AbortSignal.timeout(refreshMs) })
    const done = refreshes(token, () => kept.alone(() => refreshed(token, kept, refresh)))
    return done.then(
      (response) => {
        heard(undefined)
        return response
      },
      (why: unknown) => {
        heard({ token, why })
        throw why
      },
    )
  }

/** Whether Bobbin says who it is there, which no message to the MCP server does, or has a code of a login. */
const registersOrLogsIn = (body: unknown): boolean =>
  body instanceof URLSearchParams
    ? body.get('grant_type') === 'authorization_code'
    : typeof body === 'string' && 'redirect_uris' in JSON.parse(body)

/**
 * Throws `mcp_tokenless` if the server that gives the tokens is away when it is asked where it gives them, when Bobbin
 * registers there, or when it is sent the code of a login; then throws in an outage of our own, too.
 */
export const unlessAway =
  (send: FetchLike): FetchLike =>
  async (url, init) => {
    const gives = registersOrLogsIn(init?.body)
    if (!gives && !isDescription(url)) return send(url, init)
    const response = await send(url, init).catch((thrown: unknown) => {
      throwOutage(thrown)
      // Whoever asks where it gives them goes on without an answer.
      throw gives && isAway(thrown) ? tokenless(thrown) : thrown
    })
    if (!saysNothing(response)) return response
    await response.body?.cancel()
    throw tokenless(new Error(`HTTP ${response.status}`))
  }

async function refreshed(token: string, kept: KeptLogin, refresh: () => Promise<Response>): Promise<Response> {
  const before = await newerThan(token, kept)
  if (before !== undefined) return before
  const response = await refresh()
  // Somebody may have logged in meanwhile; or another process, frozen for long, was first all the same.
  const meanwhile = await newerThan(token, kept)
  if (meanwhile !== undefined) return meanwhile
  if (saysNothing(response)) {
    await response.body?.cancel()
    // The SDK would take an error in its body, such as `invalid_grant`, for a refusal, and forget the login.
    throw new Error(`HTTP ${response.status}`)
  }
  if (!response.ok) return response
  const given = answerSchema.safeParse(await response.clone().json())
  const { tokens } = await readKept(kept)
  if (given.success && tokens !== undefined) await changeKept(kept, { tokens: { ...tokens, ...given.data } })
  return response
}

async function newerThan(token: string, kept: KeptLogin): Promise<Response | undefined> {
  const { tokens } = await readKept(kept)
  return tokens === undefined || tokens.refresh_token === token ? undefined : Response.json(tokens)
}
