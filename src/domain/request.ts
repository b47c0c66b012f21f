import type { Json } from '../kit/json.ts'
import type { Person } from './chat.ts'
import type { GrantOffer } from './grant.ts'
import type { CallId, RequestId, SessionId, TurnId } from './ids.ts'
import type { ApprovalAnswer, Question, QuestionAnswer, Risk, Vote } from './question.ts'

/** What a person approves or denies. */
export interface Approval {
  tool: string
  /** As it is shown: secrets are masked. */
  input: Json
  reason: string
  risk: Risk
  /** What cannot be told of the call. */
  unclear: string[]
  /** Hosts that it would be let to reach. */
  hosts: string[]
  /** Files that output is redirected to, where not everything may be written: as a person finds them. */
  writes?: string[]
  /** Files whose content it runs. */
  runs: string[]
  /** What stands in them, as it is bound; masked and cut. */
  scripts?: { path: string; text: string }[]
  /** Hash of the whole call, for a grant of exactly this one. */
  call: string
  /** Of what it runs, for a grant of more than this call: see `Grant.binding`. */
  binding: string
  /** What "always" would let through; absent where only once is offered. */
  grants?: GrantOffer
}

/** Who decides, for people: it is looked up in the rules as they are when somebody does. */
export interface DecidedBy {
  /** In `deciders` of `config/hitl_rules.yaml`. */
  decider: string
  /** A short text for the card: `the asker, or 2 of @platform`. */
  who: string
  needed: number
  /** When these were asked, ms; absent of who was asked first. */
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
  /** Of the call as it was when the person saw it: an answer holds for exactly this. */
  hash: string
  state: 'pending' | 'answered' | 'cancelled'
  askedAt: number
  deadlineAt: number | undefined
  /** When somebody is reminded next, or others are asked. */
  remindAt: number | undefined
  /** How often somebody was reminded. */
  reminded: number
  /** Approvals so far, where several are needed. */
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

/** Of a call's input, as JSON: what fits on every platform's card. */
export const mostOnCard = 1_500
