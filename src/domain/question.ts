export const decisionKinds = ['branch', 'method', 'confirmation', 'risk', 'custom'] as const
export type DecisionKind = (typeof decisionKinds)[number]

/** One way to answer. `id` is what a button carries; `label` is 1 to 5 words. */
export interface QuestionOption {
  id: string
  label: string
  description?: string
  /** Free text such as "2 minutes" or "about $1". */
  estimated_time?: string
  estimated_cost?: string
  recommended?: boolean
}

/** What a person is asked. "Something else" is always possible and is no option of the list. */
export interface Question {
  question: string
  context?: string
  options: QuestionOption[]
  multiple: boolean
  /** False: it may go unanswered, and does at its deadline. */
  required: boolean
  /** Option id or text, taken at the deadline. Without one, a required question waits on. */
  default?: string
  timeout_ms?: number
  /** Set for ask_decision. */
  decision?: DecisionKind
}

/** How a question ended. `text` is what the model reads. */
export interface QuestionAnswer {
  text: string
  option_ids: string[]
  by: 'person' | 'deadline'
  declined?: boolean
}

export type Risk = 'low' | 'medium' | 'high' | 'critical'

/** How an approval ended. */
export interface ApprovalAnswer {
  decision: 'approve' | 'deny'
  reason?: string
}

/** What a person says to a request: to an approval, or to a question (option ids, or their own words). */
export type Given =
  | { kind: 'approval'; answer: ApprovalAnswer }
  | { kind: 'question'; answer: string | string[] }
  | { kind: 'declined' }
