import type { Person } from './chat.ts'
import type { CallId, TurnId } from './ids.ts'
import type { Todo } from './session.ts'

/** One thing that a turn said or did, as people see it. */
export type TurnPart =
  | { kind: 'text'; text: string }
  | {
      kind: 'call'
      call: CallId
      tool: string
      /** What the call is about, in a few words, on one line: a path, a question, a command. */
      about: string
      status: 'running' | 'done' | 'failed' | 'denied' | 'unknown'
      /** The last lines that it printed, while it runs. */
      output?: string
    }

/**
 * What one message of a turn shows. A turn has one after another: a new one begins after it has waited for a person, and
 * after an answer in between. Derived from events alone.
 */
export interface TurnView {
  turn: TurnId
  /** Counts the messages of the turn from 0. */
  segment: number
  state: 'running' | 'waiting' | 'done' | 'stopped' | 'failed'
  /** The words of the alarm that woke it. */
  alarm?: string
  /** In the order in which they came; the last text may still grow, and may vanish when the model begins anew. */
  parts: TurnPart[]
  plan: Todo[]
  /** Something that a person should know meanwhile, such as that the model is asked again. */
  warning?: string
  /** What everybody should know of the files that came along: refused, or not what they seem. */
  notices: string[]
  stoppedBy?: Person
  /** ms since 1970. */
  startedAt: number
}
