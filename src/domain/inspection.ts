import type { CommandPlan, PlainCommand } from '../kit/shell/plan-types.ts'

/** Something that a command gets only when a person approves exactly this call. */
export const needs = ['uploads', 'network', 'limits'] as const
export type Need = (typeof needs)[number]

/** A file that a program takes by itself. `module`: Python may import it by this name, and does so from nowhere else. */
export interface Alongside {
  path: string
  module?: string
}

/** A file of the workspace with the content that was decided on. */
export interface Pinned {
  path: string
  bytes: Uint8Array
  module?: string
}

/** What a tool says of one call before it runs. It is pure: the policy asks again before the call runs, and must hear the same. */
export interface Inspection {
  /** What patterns of rules and grants are matched against, each as a whole: simple commands, addresses, paths. */
  subjects: string[]
  /** Why it cannot be told what the call would do, as sentences without full stop. Then it is of high risk, and approved once only. */
  unclear: string[]
  /** What a program may run or read by itself and nobody is shown, as sentences without full stop. Asked each time. */
  unseen?: string[]
  /** What the closed sandbox has not, and the call says that it wants. */
  needs?: Need[]
  /** Patterns that let through this call and more, and are still safe to name. */
  wider?: string[]
  /** The call in one text, for people: where the subjects leave something out. */
  whole?: string
  /** False when the same call may do something else another time: then it is not granted for longer than once. */
  settled?: boolean
  /** It may import what stands beside it: see `inspectFile`. */
  imports?: boolean
  /** Where it runs, relative to the workspace: a grant holds for there alone. */
  directory?: string
  /** Of tools that run commands. */
  plan?: CommandPlan
  /** Its commands, where it is a line in the small language in which something may run unasked. */
  plain?: PlainCommand[]
  /** Host names and addresses that the tool itself connects to. */
  hosts?: string[]
  /** What may be run beside those in `runs`: bound and shown where it is there. */
  alongside?: Alongside[]
  /** Files of the workspace whose content the call runs: the approval holds for exactly that content. */
  runs?: string[]
}
