import type { Inspection, Pinned } from '../domain/inspection.ts'
import type { Verdict } from '../domain/verdict.ts'

/** The policy's verdict on a call, and what exactly it was made for. */
export interface Judgement {
  verdict: Verdict
  /** Covers the call, its decider and the reason given. An approval holds for exactly this. */
  hash: string
  /** Covers the tool, its arguments, the contents it runs and the hosts it may reach. */
  callHash: string
  /** Covers the contents alone, or the server that the tool belongs to: see `Grant.binding`. */
  binding: string
  inspection: Inspection
  /** Files outside outputs/ and temp/ that output is redirected to, for people to see. */
  writes: string[]
  pinned: Pinned[]
}
