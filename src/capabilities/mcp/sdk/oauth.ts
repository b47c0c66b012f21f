import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js'
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js'
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { KeptLogin, Login, LoginClient } from '../port.ts'
import { tokenless } from './failures.ts'
import { heedingNames } from './names-itself.ts'
import { asJson, changeKept, type Kept, readKept, refreshing, type Unanswered, unlessAway } from './refresh.ts'

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
  #discovered: OAuthDiscoveryState | undefined
  #namesItself = false
  #unanswered: Unanswered | undefined

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

  /** Refreshes its tokens one after the other. */
  refreshing(send: FetchLike): FetchLike {
    const heeding = heedingNames(send, (always) => {
      this.#namesItself = always
    })
    return refreshing(this.#kept, unlessAway(heeding), (unanswered) => {
      this.#unanswered = unanswered
    })
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    const scope = url.searchParams.get('scope') ?? ''
    const unanswered = this.#unanswered
    const { tokens, wantedScope = '' } = await this.#read()
    const refresh = tokens?.refresh_token
    // The SDK begins a new login then, although the tokens are still good.
    if (this.#state === '' && refresh !== undefined && refresh === unanswered?.token) throw tokenless(unanswered.why)
    const both = [...new Set(`${scope} ${wantedScope}`.split(' '))].filter(Boolean).join(' ')
    if (this.#state === '' && tokens !== undefined) await this.#change({ wantedScope: both })
    if (this.#state !== '' && both !== '') url.searchParams.set('scope', both)
    this.#send(url)
  }

  /** The server isn't asked again for whom the code is: it could name somebody else once a person has logged in. */
  saveDiscoveryState(discovered: OAuthDiscoveryState): void {
    if (this.#state !== '') this.#discovered = discovered
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered
  }

  /**
   * Whether a code by this issuer goes back to it. A server's own document may name anybody as its issuer; undefined
   * is believed unless the server says that it always names itself (RFC 9207).
   */
  isOf(issuer: string | undefined): boolean {
    const { authorizationServerUrl = '', authorizationServerMetadata } = this.#discovered ?? {}
    if (issuer === undefined) return !this.#namesItself
    const [from, to] = [URL.parse(issuer), URL.parse(authorizationServerMetadata?.token_endpoint ?? '')]
    const isSame = from !== null && withoutSlash(from.href) === withoutSlash(URL.parse(authorizationServerUrl)?.href)
    return isSame || (from !== null && from.origin === to?.origin)
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

  #read(): Promise<Kept> {
    return readKept(this.#kept)
  }

  #change(change: Kept): Promise<void> {
    return changeKept(this.#kept, change)
  }
}

const withoutSlash = (address: string | undefined): string | undefined => address?.replace(/\/$/, '')
