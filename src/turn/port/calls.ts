import type { GrantId } from '../../domain/ids.ts'
import type { ToolCall } from '../../domain/messages.ts'
import type { Question } from '../../domain/question.ts'
import type { Approval } from '../../domain/request.ts'
import type { RuleRef } from '../../domain/verdict.ts'

/** A call that hasn't ended. */
export interface OpenCall extends ToolCall {
  state: 'proposed' | 'waiting' | 'started'
  /** Covers tool and arguments. */
  hash: string
}

/** How many rounds each plug-in has had for a message, and whether the message led to tool calls. */
export interface Rounds {
  of(plugin: string): number
  withCalls: boolean
}

export type CallStatus = 'done' | 'failed' | 'denied' | 'unknown'

/** What to ask. The policy names the decider of an approval, who is looked up when the request is stored. */
export type AskPerson =
  | { kind: 'approval'; payload: Approval; decider: string }
  | { kind: 'question' | 'decision' | 'loop'; payload: Question }

/** How a call ended, or that it needs a person or a child session, or that nothing stays of it. */
export type Settled = CallStatus | 'waiting' | 'taken-back'

export interface BeginOptions {
  repeatable: boolean
  /** Covers exactly what runs. */
  hash: string
  rule: RuleRef
  /** The grants that allowed it. */
  grants: GrantId[]
}

/** What to do with a call; decided and stored before anything runs. */
export type Begin =
  | { do: 'run'; key: string; attempt: number }
  /** Somebody has denied it since it was judged. */
  | { do: 'wait' }
  /** A grant that allowed it has ended since it was judged. */
  | { do: 'judge' }
  /** A process that is gone started it, and it isn't repeatable. */
  | { do: 'unknown' }
