import type { Person } from './chat.ts'
import type { CallId, RequestId, SessionId, TurnId } from './ids.ts'
import type { Json } from './json.ts'
import type { ApprovalAnswer, Question, QuestionAnswer, Risk } from './question.ts'

/** What a person approves or denies. */
export interface Approval {
  tool: string
  input: Json
  reason: string
  risk: Risk
}

/** What is asked, by kind. */
export type Asked = { kind: 'approval'; payload: Approval } | { kind: 'question' | 'decision'; payload: Question }

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
  answeredBy: Person | undefined
  answeredAt: number | undefined
}

/** Something that waits, or waited, for a person. */
export type Request = Common &
  (
    | { kind: 'approval'; payload: Approval; answer: ApprovalAnswer | undefined }
    | { kind: 'question' | 'decision'; payload: Question; answer: QuestionAnswer | undefined }
  )
