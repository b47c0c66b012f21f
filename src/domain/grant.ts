import type { Person } from './chat.ts'
import type { GrantId, RequestId, SessionId } from './ids.ts'

export const grantScopes = ['thread', 'channel', 'tenant'] as const
export type GrantScope = (typeof grantScopes)[number]

/** That calls of a tool are not asked any more, where and as long as it says. */
export interface Grant {
  id: GrantId
  tool: string
  /** With `wide`, each subject of a call must fit one of these patterns, of this grant or another; else they are for people. */
  patterns: string[]
  /**
   * `call:` and the hash of the one call that it lets through; `closed` for whatever runs in the closed sandbox; else of the
   * contents that calls run, '' where they run none.
   */
  binding: string
  scope: GrantScope
  session: SessionId
  platform: string
  tenant: string
  project: string
  /** It holds also after untrusted content came into the thread: the card said so. */
  untrusted: boolean
  /** ms; undefined is without end. */
  until: number | undefined
  request: RequestId
  by: Person
  at: number
  endedAt: number | undefined
  endedBy: Person | undefined
  /** How many calls it has let through. */
  uses: number
}

/** What a person chose with "always". */
export interface GrantChoice {
  /** Exactly this call, or also those that the card shows as wider. */
  pattern: 'exact' | 'wide'
  scope: GrantScope
  /** ms from now; undefined is without end. */
  forMs?: number
}

/** What a card offers for "always", as patterns. */
export interface GrantOffer {
  /** Empty where exactly this call may be another one the next time. */
  exact: string[]
  /** More than this one call; absent where nothing wider is safe to name. */
  wide?: string[]
  /** `wide` is whatever runs in the closed sandbox: in its thread, until the end of tomorrow. */
  closed?: true
  /** Where it may hold, for whoever decides; absent is everywhere, and the operator may choose any. */
  scopes?: GrantScope[]
  /** The card says that untrusted content is in the thread. */
  untrusted: boolean
}

/** How a grant is bound that covers whatever runs in the closed sandbox, by any tool that runs programs. */
export const closedBinding = 'closed'
export const isOfClosed = ({ binding }: Pick<Grant, 'binding'>): boolean => binding === closedBinding

/** What such a grant covers, for people. */
export const closedWords = 'anything in the closed sandbox'

/** How a grant of exactly one call is bound to it. */
export const callBinding = (hash: string): string => `call:${hash}`

export const isOfOneCall = ({ binding }: Pick<Grant, 'binding'>): boolean => binding.startsWith(callBinding(''))
