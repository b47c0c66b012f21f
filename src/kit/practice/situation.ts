import type { JsonObject } from '../json.ts'
import type { CallOutcome } from './outcome.ts'

export interface Upload {
  path: string
  name: string
}

/** A call of an earlier step, and how it ended. */
export interface DoneCall {
  name: string
  input: JsonObject
  outcome: CallOutcome
}

/** What an intent knows: only its own part of the conversation. */
export interface Situation {
  /** The request, without prefixes, file lists and reminders. */
  text: string
  /** Every file that came with a message, newest last. */
  uploads: Upload[]
  /** Those that came with this message. */
  newUploads: Upload[]
  /** Those that were written in the conversation. */
  written: Upload[]
  /** The calls of each step since the message, in order. */
  rounds: DoneCall[][]
  /** Names of the tools that may be called now. */
  tools: ReadonlySet<string>
}

export interface PlannedCall {
  name: string
  input: JsonObject
}

/** One reply. Without calls it is the answer. `slowness` multiplies the pause between words. */
export interface Step {
  text: string
  calls?: PlannedCall[]
  slowness?: number
}

/** Something that the practice model can do: a pure function from the conversation to its next reply. */
export interface Intent {
  name: string
  /** What a person could write, for the help text. */
  example?: string
  matches(text: string, situation: Situation): boolean
  next(situation: Situation): Step
  /** It handles failed calls itself. Otherwise the first failure ends the turn. */
  handlesFailures?: boolean
}

/** The calls of all steps in one list. */
export const doneCalls = (situation: Situation, name?: string): DoneCall[] =>
  situation.rounds.flat().filter((call) => name === undefined || call.name === name)

/** The result of the latest call of a tool, or undefined if there is none yet. */
export const resultOf = (situation: Situation, name: string): string | undefined =>
  doneCalls(situation, name).at(-1)?.outcome.text

/** Most intents are this: one call, then a sentence about its result. */
export function callOnce(
  situation: Situation,
  call: PlannedCall,
  answer: (result: string) => string,
  announce = '',
): Step {
  const result = resultOf(situation, call.name)
  return result === undefined ? { text: announce, calls: [call] } : { text: answer(result) }
}
