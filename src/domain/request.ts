import type { Json } from '../kit/json.ts'
import type { Person } from './chat.ts'
import type { GrantOffer } from './grant.ts'
import type { CallId, RequestId, SessionId, TurnId } from './ids.ts'
import type { ApprovalAnswer, Question, QuestionAnswer, Risk, Vote } from './question.ts'

/** What a person approves or denies. */
export interface Approval {
  tool: string
  /** As it is shown, with secrets masked. */
  input: Json
  reason: string
  risk: Risk
  /** What is unclear about the call. */
  unclear: string[]
  /** Hosts it would be allowed to reach. */
  hosts: string[]
  /** Files that output is redirected to, unless every command may write there. */
  writes?: string[]
  /** Files whose content it runs. */
  runs: string[]
  /** Their contents as bound, masked and cut. */
  scripts?: { path: string; text: string }[]
  /** Hash of the whole call, for a grant of exactly this one. */
  call: string
  /** What a wider grant is bound to: see `Grant.binding`. */
  binding: string
  /** What "always" would allow; missing when it can only be approved once. */
  grants?: GrantOffer
}

/** Who decides, for people. It is looked up again in the current rules when somebody does. */
export interface DecidedBy {
  /** A name in `deciders` of `config/hitl_rules.yaml`. */
  decider: string
  /** A short text for the card: `the asker, or 2 of @platform`. */
  who: string
  needed: number
  /** When these were asked, ms; missing for the first ones. */
  since?: number
}

/** What is asked, by kind. `loop`: the same call again and again. */
export type Asked =
  | { kind: 'approval'; payload: Approval; decided: DecidedBy }
  | { kind: 'question' | 'decision' | 'loop'; payload: Question }

interface Common {
  id: RequestId
  session: SessionId
  turn: TurnId
  call: CallId
  /** Covers the call as the person saw it. An answer holds for exactly this. */
  hash: string
  state: 'pending' | 'answered' | 'cancelled'
  askedAt: number
  deadlineAt: number | undefined
  /** When to remind somebody or ask others. */
  remindAt: number | undefined
  reminded: number
  /** Approvals so far, when several are needed. */
  votes: Vote[]
  answeredBy: Person | undefined
  answeredAt: number | undefined
}

/** Something that waits, or waited, for a person. */
export type Request = Common &
  (
    | { kind: 'approval'; payload: Approval; decided: DecidedBy; answer: ApprovalAnswer | undefined }
    | { kind: 'question' | 'decision' | 'loop'; payload: Question; answer: QuestionAnswer | undefined }
  )

export type ApprovalRequest = Extract<Request, { kind: 'approval' }>
/** Everything that is answered with words or options. */
export type QuestionRequest = Exclude<Request, { kind: 'approval' }>

/** How much of a call's input, as JSON, fits on every platform's card. */
export const mostOnCard = 1_500

/** How much of what is unclear about a call fits on every platform's card, next to other facts. */
export const mostUnclear = { entries: 8, characters: 400 }

export const isLongInput = ({ input }: Approval): boolean => JSON.stringify(input).length > mostOnCard

export const isMuchUnclear = ({ unclear }: Approval): boolean =>
  unclear.length > mostUnclear.entries || unclear.join('').length > mostUnclear.characters

/** Otherwise the rest of it is posted above its card in the thread. */
export const fitsOnCard = (approval: Approval): boolean =>
  !isLongInput(approval) && !isMuchUnclear(approval) && (approval.scripts ?? []).length === 0
