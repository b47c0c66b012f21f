import type { Person } from './chat.ts'
import type { CallId, PlanId, TurnId } from './ids.ts'
import type { Todo } from './session.ts'
import type { SourcePage } from './tool.ts'

/** A step of a work plan, with the call that works for it: that one is no part of its own. */
export interface PlannedStep {
  content: string
  status: Todo['status'] | 'failed'
  call?: CallId
  /** The last lines of what is done for it, while it runs. */
  output?: string
}

/** A work plan that runs, or ran. */
export interface PlanView {
  id: PlanId
  title: string
  steps: PlannedStep[]
}

/** One thing that a turn said or did, as people see it. */
export type TurnPart =
  | { kind: 'text'; text: string }
  | {
      kind: 'call'
      call: CallId
      tool: string
      /** What the call is about, on one short line: a path, a question, a command. */
      about: string
      /** What it does, in words, if its tool says so. */
      title?: string
      status: 'running' | 'done' | 'failed' | 'denied' | 'unknown'
      /** The last lines it has printed, while it runs. */
      output?: string
      /** The web pages that it has read or found. */
      sources?: readonly SourcePage[]
    }

/**
 * What one message of a turn shows, derived from events alone. A turn begins a new message after it has waited for a
 * person, and after an answer in between.
 */
export interface TurnView {
  turn: TurnId
  /** Numbers the turn's messages from 0. */
  segment: number
  state: 'running' | 'waiting' | 'done' | 'stopped' | 'failed'
  /** The text of the alarm that woke it. */
  alarm?: string
  /** In the order in which they came. The last text may still grow, or vanish when the model starts over. */
  parts: TurnPart[]
  /** Once a message shows it, it does so to its end. */
  plan?: PlanView
  todos: Todo[]
  /** Something people should know meanwhile, such as that the model is asked again. */
  warning?: string
  /** What everybody should know about uploads: refused, or not what they seem. */
  notices: string[]
  stoppedBy?: Person
  startedAt: number
}
