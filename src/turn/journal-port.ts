import type { CallId, GrantId } from '../domain/ids.ts'
import type { Message, ToolCall } from '../domain/messages.ts'
import type { Question } from '../domain/question.ts'
import type { Approval, Request } from '../domain/request.ts'
import type { RuleRef } from '../domain/verdict.ts'
import type { Usage } from '../kit/model/model.ts'

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
  /** Of exactly what runs. */
  hash: string
  rule: RuleRef
  /** The grants that let it through. */
  grants: GrantId[]
}

/** What to do with a call, decided and stored before anything runs. */
export type Begin =
  | { do: 'run'; key: string; attempt: number }
  /** Started by a process that is gone, and not repeatable. */
  | { do: 'unknown' }

/**
 * One turn's rows. Every write is one transaction that is refused with LeaseLost when another process runs the session
 * by now; so whatever the loop has been told to be written is written, and nothing else.
 */
export interface Journal {
  /** Model calls answered so far in this turn. */
  steps(): number
  /** Puts what has arrived since into the history. */
  readInbox(): Promise<void>
  /** The latest messages, at least `count` of them if there are, and with a person's among them. */
  history(count: number): Promise<Message[]>
  /** In the order the model asked for them. */
  openCalls(): Promise<OpenCall[]>
  /** Appends a reply and its calls. Without calls the turn ends with it, unless something has arrived. */
  reply(reply: { text: string; calls: ToolCall[]; usage?: Usage }): Promise<'open' | 'ended'>
  /** Whether people may only be talking with each other: nobody has named the bot in what the turn has read. */
  isAside(): Promise<boolean>
  /** The model has nothing to say. The turn ends without a word, unless something has arrived. */
  sayNothing(usage?: Usage): Promise<'open' | 'ended'>
  /** Everything was answered: the turn ends without a reply, unless something has arrived. */
  endAnswered(): Promise<'open' | 'ended'>
  /** Appends a reply that a plug-in wants another round after. */
  replyAgain(text: string, wish: { plugin: string; again: string; rounds?: number }, usage?: Usage): Promise<void>
  /** What plug-ins have asked for since a person's latest message. */
  rounds(): Promise<Rounds>
  /** Appends an answer and ends the turn with it; `whatever` arrived, or only when nothing has. */
  finish(text: string, when: 'nothing-arrived' | 'whatever', usage?: Usage): Promise<'open' | 'ended'>
  begin(call: OpenCall, options: BeginOptions): Promise<Begin>
  /** `rule`: the one that forbade it. `rounds`: for how many model calls it is sent. */
  end(call: OpenCall, status: CallStatus, result: string, about?: { rule?: RuleRef; rounds?: number }): Promise<void>
  /** The latest of these kinds. */
  requestOf(call: CallId, kinds: Request['kind'][]): Promise<Request | undefined>
  /** Asks, in place of what was asked before of this call. `hash`: of what exactly. */
  askPerson(call: OpenCall, hash: string, asked: AskPerson): Promise<void>
  /** Lets the turn wait for its requests; false when an answer has come meanwhile. */
  rest(): Promise<boolean>
  warn(code: string, message: string): Promise<void>
  thought(text: string): Promise<void>
  /** Shown and stored soon: progress may be lost, the reply may not. */
  textDelta(delta: string): void
  /** What was shown of this reply does not count. */
  textDiscarded(): Promise<void>
}
