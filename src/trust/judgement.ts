import type { Inspection, Pinned } from '../domain/inspection.ts'
import type { Verdict } from '../domain/verdict.ts'

/** What the policy says of a call, and what exactly it said it of. */
export interface Judgement {
  verdict: Verdict
  /** Of the call, of who decides, and of what was said about it: an approval holds for exactly this. */
  hash: string
  /** Of tool, arguments, the contents that it runs and what it may reach. */
  callHash: string
  /** Of the contents alone; '' where it runs none. */
  binding: string
  inspection: Inspection
  /** Files that output is redirected to, outside of outputs/ and temp/: for people. */
  writes: string[]
  pinned: Pinned[]
}
