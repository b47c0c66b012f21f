import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import {
  type OAuthClientInformationMixed,
  type OAuthClientMetadata,
  type OAuthTokens,
  OAuthTokensSchema,
} from '@modelcontextprotocol/sdk/shared/auth.js'
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JsonObject } from '../../../kit/json.ts'
import type { KeptLogin, Login, LoginClient } from '../port.ts'
import { oneByOne } from './one-by-one.ts'

interface Kept {
  tokens?: OAuthTokens
  client?: OAuthClientInformationMixed
  /** The server wanted more than the tokens allow. */
  wantedScope?: string
}

/** By the token that they use, whichever connection makes them. */
const refreshes = oneByOne()
/** How long one may take, since others wait for it. */
const refreshMs = 30_000

/**
 * Keeps what the SDK learns of a login. `send` is called with the address at which a person logs in; '' as `state`:
 * nobody does.
 */
export class Provider implements OAuthClientProvider {
  readonly redirectUrl: string
  readonly clientMetadataUrl?: string
  readonly #kept: KeptLogin
  readonly #client: LoginClient
  readonly #state: string
  readonly #send: (url: URL) => void
  #verifier = ''

  constructor({ kept, client, redirectUrl, document }: Login, state: string, send: (url: URL) => void) {
    this.#kept = kept
    this.#client = client
    this.redirectUrl = redirectUrl
    if (document !== undefined) this.clientMetadataUrl = document
    this.#state = state
    this.#send = send
  }

  get clientMetadata(): OAuthClientMetadata {
    const { scope } = this.#client
    return {
      client_name: 'Bobbin',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...(scope !== undefined && { scope }),
    }
  }

  state(): string {
    return this.#state
  }

  async clientInformation(): Promise<OAuthClientInformationMixed | undefined> {
    const { id, secret } = this.#client
    if (id !== undefined) return { client_id: id, ...(secret !== undefined && { client_secret: secret }) }
    const { client } = await this.#read()
    // Registered for another address, it would be refused.
    const isFor =
      client === undefined || !('redirect_uris' in client) || client.redirect_uris.includes(this.redirectUrl)
    return isFor ? client : undefined
  }

  saveClientInformation(client: OAuthClientInformationMixed): Promise<void> {
    return this.#change({ client })
  }

  async tokens(): Promise<OAuthTokens | undefined> {
    const { tokens, wantedScope } = await this.#read()
    // Those that don't reach far enough would make a login look unnecessary.
    return this.#state !== '' && wantedScope !== undefined ? undefined : tokens
  }

  async saveTokens(tokens: OAuthTokens): Promise<void> {
    const { wantedScope, tokens: known, ...kept } = await this.#read()
    if (this.#state !== '') await this.#kept.write(asJson({ ...kept, tokens }))
    // Those of a refresh are kept already, without saying who gave them. If there are others now, these are old.
    else if (known?.access_token === tokens.access_token) await this.#change({ tokens: { ...tokens, ...known } })
  }

  /**
   * A server may take each refresh token only once, and the SDK forgets a login when one is refused. So refreshes are
   * made one after the other, in all processes, and whoever comes with a token that has been replaced meanwhile gets
   * the new ones.
   */
  refreshing(send: FetchLike): FetchLike {
    return (url, init) => {
      const fields = init?.body instanceof URLSearchParams ? init.body : undefined
      const token = fields?.get('grant_type') === 'refresh_token' ? fields.get('refresh_token') : undefined
      if (typeof token !== 'string') return send(url, init)
      const refresh = () => send(url, { ...init, signal: AbortSignal.timeout(refreshMs) })
      return refreshes(token, () => this.#kept.alone(() => this.#refreshed(token, refresh)))
    }
  }

  async #refreshed(token: string, refresh: () => Promise<Response>): Promise<Response> {
    const before = await this.#newerThan(token)
    if (before !== undefined) return before
    const response = await refresh()
    // Another process, frozen for long, may have been first all the same.
    if (!response.ok) return (await this.#newerThan(token)) ?? response
    const given = OAuthTokensSchema.safeParse(await response.clone().json())
    const { tokens } = await this.#read()
    if (given.success && tokens !== undefined) await this.#change({ tokens: { ...tokens, ...given.data } })
    return response
  }

  async #newerThan(token: string): Promise<Response | undefined> {
    const { tokens } = await this.#read()
    return tokens === undefined || tokens.refresh_token === token ? undefined : Response.json(tokens)
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    const scope = url.searchParams.get('scope') ?? ''
    const { tokens, wantedScope = '' } = await this.#read()
    const both = [...new Set(`${scope} ${wantedScope}`.split(' '))].filter(Boolean).join(' ')
    if (this.#state === '' && tokens !== undefined && scope !== '') await this.#change({ wantedScope: both })
    if (this.#state !== '' && both !== '') url.searchParams.set('scope', both)
    this.#send(url)
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  codeVerifier(): string {
    return this.#verifier
  }

  async invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    if (scope === 'verifier') this.#verifier = ''
    const { tokens, client } = await this.#read()
    if (scope === 'all') await this.#kept.write({})
    if (scope === 'client') await this.#kept.write(asJson({ tokens }))
    if (scope === 'tokens') await this.#kept.write(asJson({ client }))
  }

  async #read(): Promise<Kept> {
    return ((await this.#kept.read()) ?? {}) as Kept
  }

  async #change(change: Kept): Promise<void> {
    await this.#kept.write(asJson({ ...(await this.#read()), ...change }))
  }
}

const asJson = (kept: { [Key in keyof Kept]: Kept[Key] | undefined }): JsonObject => JSON.parse(JSON.stringify(kept))
