import type { Person } from './chat.ts'
import type { GrantChoice } from './grant.ts'

export const decisionKinds = ['branch', 'method', 'confirmation', 'risk', 'custom'] as const
export type DecisionKind = (typeof decisionKinds)[number]

export const clarificationKinds = ['scope', 'approach', 'prerequisite', 'priority'] as const
export type ClarificationKind = (typeof clarificationKinds)[number]

/** One way to answer. `id` is what a button carries; `label` has 1 to 5 words. */
export interface QuestionOption {
  id: string
  label: string
  description?: string
  /** Free text such as "2 minutes" or "about $1". */
  estimated_time?: string
  estimated_cost?: string
  recommended?: boolean
}

/** One field of a form. "Something else" is always possible and isn't listed. */
export interface QuestionPart {
  question: string
  options: QuestionOption[]
  multiple: boolean
  /** False: it may go unanswered, and at the deadline the whole question does. */
  required: boolean
}

/** What a person is asked. */
export interface Question extends QuestionPart {
  context?: string
  /** Further questions of the same form, at most 4. */
  also?: QuestionPart[]
  /** Whose answer counts; missing means everybody in the thread. */
  to?: Person[]
  /** Who may answer it too, in words: those whom it was addressed to haven't, for a long time. */
  opened_to?: string
  /** When its card came, if that was late, ms. */
  since?: number
  /** They are reminded once, after this time without an answer. */
  remind_ms?: number
  /** Options, by label or id, or text that is taken at the deadline. Without one, a required question keeps waiting. */
  default?: string
  timeout_ms?: number
  /** Set for ask_decision. */
  decision?: DecisionKind
  /** Set for ask_clarification. */
  clarification?: ClarificationKind
  /** Set when the model keeps making the same call: its tool, and how often it was called. */
  loop?: { tool: string; times: number }
}

/** What stands in "A, C", where several options may be named. */
export const listedIn = (text: string): string[] =>
  text
    .split(/[,;，、]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** How a question ended. `text` is what the model reads. */
export interface QuestionAnswer {
  text: string
  option_ids: string[]
  /** Answers to the further questions, in order. */
  also?: { text: string; option_ids: string[] }[]
  by: 'person' | 'deadline'
  declined?: boolean
}

export type Risk = 'low' | 'medium' | 'high' | 'critical'

/** How an approval ended. */
export interface ApprovalAnswer {
  decision: 'approve' | 'deny'
  reason?: string
  /** With a denial: what to do instead, in the person's words. */
  instead?: string
  /** With an approval: allow calls like this from now on. */
  always?: GrantChoice
  /** `deadline`: nobody decided in time, and the rules take that as a no. */
  by?: 'person' | 'deadline'
}

/** One person's part in a decision that needs several. */
export interface Vote {
  person: Person
  at: number
}

/** What a person answers: to an approval, or to a question (option ids, or their own words). */
export type Given =
  | { kind: 'approval'; answer: ApprovalAnswer }
  | { kind: 'question'; answer: string | string[]; also?: (string | string[])[] }
  | { kind: 'declined' }

/** A question as a tool asks it, with people by the names the model knows. `starter` is who began the thread. */
export interface AskedQuestion extends Omit<Question, 'to'> {
  to?: string[]
}
