import type { CommandPlan, PlainCommand } from '../kit/shell/plan-types.ts'

/** What a command gets only when a person approves exactly this call. */
export const needs = ['uploads', 'network', 'limits'] as const
export type Need = (typeof needs)[number]

/** A file that a program loads by itself. `module`: Python may import it by this name, and from nowhere else. */
export interface Alongside {
  path: string
  module?: string
  /** It is only looked for if there is this folder. */
  within?: string
  /** It is data unless it is a link, because then the name of what it leads to decides. It isn't read. */
  isData?: boolean
}

/** A workspace file with the content that was decided on. */
export interface Pinned {
  path: string
  bytes: Uint8Array
  module?: string
}

/**
 * What a tool says a call would do, before it runs. Always the same for the same call, because the policy asks again
 * before it runs.
 */
export interface Inspection {
  /** What patterns of rules and grants match, each as a whole: simple commands, URLs, paths. */
  subjects: string[]
  /**
   * What is unclear about the call, as sentences without full stop. The call is then of high risk, and can only be
   * approved once.
   */
  unclear: string[]
  /**
   * What a program may run or read by itself without anybody seeing it, as sentences without full stop. Asked each
   * time.
   */
  unseen?: string[]
  /** What the call wants that the closed sandbox doesn't have. */
  needs?: Need[]
  /** Patterns that allow this call and more, and are still safe. */
  wider?: string[]
  /** Its result brings content from outside, so a wider grant has to hold with that. */
  returns?: boolean
  /** Sentences for people about what the arguments don't make plain. */
  notes?: string[]
  /** The whole call as one text for people, when the subjects leave something out. */
  whole?: string
  /** False when the same call may do something else next time, so it can only be approved once. */
  settled?: boolean
  /** It may import files from its own folder: see `inspectFile`. */
  imports?: boolean
  /** Where it runs, relative to the workspace. A grant holds only there. */
  directory?: string
  /** Set by tools that run commands. */
  plan?: CommandPlan
  /** Its commands, when it's a line in the small language, which may run without asking. */
  plain?: PlainCommand[]
  /** Everything it runs comes with Bobbin, byte for byte. With files, each of them has to be so too. */
  ours?: boolean
  /** Host names and addresses the tool itself connects to. */
  hosts?: string[]
  /** Files that may run besides `runs`: bound and shown if they exist. */
  alongside?: Alongside[]
  /** Workspace files whose content the call runs. An approval holds for exactly that content. */
  runs?: string[]
  /** Folders that their paths leave with `..`: only if none is a link do the paths mean what they say. */
  left?: string[]
}
