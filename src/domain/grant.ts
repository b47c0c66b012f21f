import type { Person } from './chat.ts'
import type { GrantId, RequestId, SessionId } from './ids.ts'

export const grantScopes = ['thread', 'channel', 'tenant'] as const
export type GrantScope = (typeof grantScopes)[number]

/** Says that calls of a tool run without asking, where and as long as it holds. */
export interface Grant {
  id: GrantId
  tool: string
  /**
   * In a `wide` grant, each subject of a call must match a pattern of this grant or another. Otherwise they are only
   * for people to read.
   */
  patterns: string[]
  /**
   * `call:` and the call's hash for a grant of one call; `closed` for whatever runs in the closed sandbox; `server:`
   * and the tool's identity if it has one; otherwise the hash of the contents that are run, '' if there are none.
   */
  binding: string
  scope: GrantScope
  session: SessionId
  platform: string
  tenant: string
  project: string
  /** It still holds with untrusted content in the thread, because its card spoke of it. */
  untrusted: boolean
  /** ms; undefined means without end. */
  until: number | undefined
  request: RequestId
  by: Person
  at: number
  endedAt: number | undefined
  endedBy: Person | undefined
  /** How many calls it has allowed. */
  uses: number
}

/** What a person chose with "always". */
export interface GrantChoice {
  /** Exactly this call, or also the wider patterns on the card. */
  pattern: 'exact' | 'wide'
  scope: GrantScope
  /** ms from now; undefined means without end. */
  forMs?: number
}

/** What a card offers for "always", as patterns. */
export interface GrantOffer {
  /** Empty when this very call may do something else next time. */
  exact: string[]
  /** Allows more than this call; missing when no wider pattern is safe. */
  wide?: string[]
  /** `wide` covers whatever runs in the closed sandbox: in its thread, until the end of tomorrow. */
  closed?: true
  /** Which scopes deciders may choose; missing means all. The operator may choose any. */
  scopes?: GrantScope[]
  /** The card says that untrusted content is in the thread, or that the call brings it in. */
  untrusted: boolean
}

/** The binding of a grant for whatever runs in the closed sandbox, by any tool that runs programs. */
export const closedBinding = 'closed'
export const isOfClosed = ({ binding }: Pick<Grant, 'binding'>): boolean => binding === closedBinding

/** What such a grant covers, for people. */
export const closedWords = 'anything in the closed sandbox'

const ofServer = 'server:'

/** The binding of a grant for a tool of the MCP server that is there now, and of none that takes its name later. */
export const serverBinding = (identity: string): string => `${ofServer}${identity}`

/** The binding of a grant for exactly one call. */
export const callBinding = (hash: string): string => `call:${hash}`

export const isOfOneCall = ({ binding }: Pick<Grant, 'binding'>): boolean => binding.startsWith(callBinding(''))

/** It holds only while what the calls run stays the same. */
export const isOfContents = (grant: Pick<Grant, 'binding'>): boolean =>
  grant.binding !== '' && !isOfOneCall(grant) && !isOfClosed(grant) && !grant.binding.startsWith(ofServer)
