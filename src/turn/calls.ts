import type { GrantId } from '../domain/ids.ts'
import type { ToolCall } from '../domain/messages.ts'
import type { Question } from '../domain/question.ts'
import type { Approval } from '../domain/request.ts'
import type { RuleRef } from '../domain/verdict.ts'

/** A call that has not ended. */
export interface OpenCall extends ToolCall {
  state: 'proposed' | 'waiting' | 'started'
  /** Of tool and arguments. */
  hash: string
}

/** How many rounds a plug-in has had for a message, and whether the message led to tool calls. */
export interface Rounds {
  of(plugin: string): number
  withCalls: boolean
}

export type CallStatus = 'done' | 'failed' | 'denied' | 'unknown'

/** What is asked; who decides an approval is named by the policy, and looked up when it is stored. */
export type AskPerson =
  | { kind: 'approval'; payload: Approval; decider: string }
  | { kind: 'question' | 'decision' | 'loop'; payload: Question }

export interface BeginOptions {
  repeatable: boolean
  /** A hash of exactly what runs. */
  hash: string
  rule: RuleRef
  /** The grants that allowed it. */
  grants: GrantId[]
}

/** What to do with a call, decided and stored before anything runs. */
export type Begin =
  | { do: 'run'; key: string; attempt: number }
  /** A process that is gone started it, and it isn't repeatable. */
  | { do: 'unknown' }
