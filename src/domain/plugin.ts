import type { SessionId, TurnId } from './ids.ts'
import type { Tool } from './tool.ts'

/** What a running turn is at: the model is asked, calls run, their results are in, it waits for a person, or tries again. */
export type Status = 'thinking' | 'acting' | 'observing' | 'waiting' | 'retrying'

/** Where a hook is called. */
export interface HookContext {
  session: SessionId
  turn: TurnId
  signal: AbortSignal
}

/** Another round, and for how many the words that ask for it are sent. */
export interface Again {
  again: string
  rounds?: number
}

/** A call's result, where it is another one, and for how many rounds it is sent. */
export interface Kept {
  result?: string
  rounds?: number
}

/**
 * Something that hangs on the loop. It keeps no state of its own: what it is told is all that it knows. A hook that
 * throws is logged and passed over, except `beforeCall`, whose error refuses the call.
 */
export interface Plugin {
  name: string
  tools?: Tool[]
  /** The session's system prompt, once, before it is stored. Returns what replaces it. */
  promptBuilt?(prompt: string, context: HookContext): string | Promise<string>
  /** What a person wrote, before it is stored for the model. Returns what replaces it. */
  userMessage?(text: string, context: HookContext): string | Promise<string>
  status?(status: Status, context: HookContext): void | Promise<void>
  /** Streamed text, as it is shown. */
  text?(delta: string, context: HookContext): void
  /**
   * A reply without calls. `again` asks for another round, with this text as the next message. `rounds`: for how many model
   * calls that message is sent; then it is left out, and stays in the stored history.
   */
  replyComplete?(
    reply: { text: string; round: number },
    context: HookContext,
  ): Again | undefined | Promise<Again | undefined>
  beforeCall?(call: { tool: string; input: unknown }, context: HookContext): void | Promise<void>
  /** Returns what replaces the result, and for how many model calls the call and its result are sent. */
  callDone?(
    call: { tool: string; input: unknown; status: string; result: string },
    context: HookContext,
  ): string | Kept | undefined | Promise<string | Kept | undefined>
  /** How often `again` may count for one message of a person (default 3), and for one that led to tool calls. */
  rounds?: { message?: number; withCalls?: number }
}
