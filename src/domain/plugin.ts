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
  /** A reply without calls. `again` asks for another round, with this text as the next message. */
  replyComplete?(
    reply: { text: string; round: number },
    context: HookContext,
  ): { again: string } | undefined | Promise<{ again: string } | undefined>
  beforeCall?(call: { tool: string; input: unknown }, context: HookContext): void | Promise<void>
  /** Returns what replaces the result. */
  callDone?(
    call: { tool: string; input: unknown; status: string; result: string },
    context: HookContext,
  ): string | undefined | Promise<string | undefined>
  /** How often `again` may count for one message of a person (default 3), and for one that led to tool calls. */
  rounds?: { message?: number; withCalls?: number }
}
