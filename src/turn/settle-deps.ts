import type { Person } from '../domain/chat.ts'
import type { CallId } from '../domain/ids.ts'
import type { AskedQuestion, Question } from '../domain/question.ts'
import type { Tool, ToolContext } from '../domain/tool.ts'
import type { Json } from '../kit/json.ts'
import type { Judgement } from '../trust/judgement.ts'
import type { Journal, OpenCall } from './journal-port.ts'
import type { CallResult } from './run-call.ts'

export interface SettleDeps {
  journal: Journal
  findTool(name: string): Tool | undefined
  toolNames(): string[]
  /** A person may bring this tool into the thread by its name. */
  isLoadable(name: string): boolean
  /** Why a tool cannot be used in this installation; undefined when it can, or there is none. */
  lacks(name: string): string | undefined
  /** The one spelling of a workspace path. */
  spelled(path: string): string
  /** Throws Failure for a path that the workspace refuses. */
  checkPath(path: string): void
  /** The policy, asked anew each time a call is about to run. */
  judge(tool: Tool, input: never): Promise<Judgement>
  /** Whether the same call is made again and again. */
  loopOf(call: OpenCall): Promise<LoopVerdict>
  /** Ends the turn for this person. Never resolves: it throws what ends the run. */
  stop(person: Person): Promise<never>
  /** A question's people, by the names that the model knows. Throws Failure for one that is not in the thread. */
  address(question: AskedQuestion): Promise<Question>
  /** Arguments as people see them. */
  shown(input: Json): Json
  /** May throw, to refuse the call. */
  beforeCall(tool: string, input: unknown): Promise<void>
  /** Returns the text that is kept, and for how many rounds it is sent. */
  callDone(tool: string, input: unknown, result: CallResult): Promise<{ text: string; rounds?: number }>
  /** Makes the workspace whole after a call. Returns what that took, in words; '' when nothing was amiss. */
  mended(): Promise<string>
  /** Cuts a result to what a model is shown, and keeps the rest where it can be read. */
  cut(call: OpenCall, text: string): Promise<string>
  context(call: OpenCall): Omit<ToolContext, 'signal' | 'key' | 'attempt' | 'now' | 'granted'>
  now(): number
  signal: AbortSignal
  timeoutMs: number
}

/** A call that goes round in circles: `of` is the one of its step about which a person is asked. `times`: with that one. */
export type LoopVerdict = { kind: 'none' } | { kind: 'circles'; of: CallId; times: number }
