import type { z } from 'zod'
import type { Config } from '../config/config.ts'
import type { Section } from '../config/section.ts'
import type { Engine } from '../domain/engine.ts'
import type { Findings } from '../domain/finding.ts'
import type { CallId, SessionId, TurnId } from '../domain/ids.ts'
import type { Message } from '../domain/messages.ts'
import type { Tool } from '../domain/tool.ts'
import type { Workspace } from '../domain/workspace.ts'
import type { JobKind } from '../jobs/kind.ts'
import type { Clock } from '../kit/clock.ts'
import type { Documents, ReadBudgets } from '../kit/documents/document.ts'
import type { Sandbox } from '../kit/sandbox/port.ts'
import type { Web } from '../kit/web/port.ts'
import type { ChatPlatform } from '../platforms/platform.ts'
import type { Session } from '../store/sessions.ts'
import type { Lease, Store, Tx } from '../store/store.ts'
import type { StoredTurn } from '../store/turns.ts'
import type { Rules } from '../trust/rules.ts'
import type { IsMember } from '../trust/who.ts'
import type { MeasuredWorkspace } from '../workspace/workspace.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import type { Command } from './command.ts'

/** What a running turn is at: the model is asked, calls run, their results are in, it waits for a person, or tries again. */
export type Status = 'thinking' | 'acting' | 'observing' | 'waiting' | 'retrying'

/** Where a hook is called. */
export interface HookContext {
  session: SessionId
  turn: TurnId
  signal: AbortSignal
}

/** What the bot is made of, as far as a capability may use it. */
export interface Services {
  config: Config
  store: Store
  engine: Engine
  clock: Clock
  rules: Rules
  isMember: IsMember
  platforms: ReadonlyMap<string, ChatPlatform>
  workspaces: Workspaces
  sandbox: Sandbox
  web: Web
  documents: {
    /** Those of a session's workspace. */
    of(session: SessionId, workspace: Workspace): Documents
    /** Forgets what has not been used for long. */
    clean(): Promise<void>
    /** What is shown of one at once. */
    budgets: ReadBudgets
  }
  /** Looks for what is due, again and again until the bot stops. */
  often(what: string, look: () => Promise<void>, everyMs?: number): void
  /** For the log. */
  report(what: string, about?: object): (thrown: unknown) => void
}

/** The turn in which a capability is used. */
export interface TurnScope {
  bot: Services
  session: Session
  row: StoredTurn
  lease: Lease
  signal: AbortSignal
  workspace: MeasuredWorkspace
  documents: Documents
  /** Whether there is a model that images can go to. */
  canSee: boolean
}

/**
 * One piece of the system prompt, under its name as a heading. When its text changes later, the model is told where in the
 * thread that happened: so nothing that is always different, such as the time, belongs in it.
 */
export interface PromptSection {
  name: string
  text: string
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
 * Something that Bobbin can do beyond hearing, looping and answering. Ours and plug-ins (O7) are made alike. A hook keeps no
 * state of its own: what it is told is all that it knows. A hook that throws is logged and passed over, except `beforeCall`,
 * whose error refuses the call. What is given `settings` gets them as their schema made them.
 */
export interface Capability<Settings = unknown> {
  name: string
  /** What `bobbin doctor` writes above its checks; its name otherwise. */
  title?: string
  /** Its own section of `config/bobbin.yaml`, checked by `bobbin config check`; everything in it has a default. */
  settings?: Section<Settings>
  /** Values among its settings that must never be shown, by what they are called. */
  secrets?(settings: Settings): readonly { name: string; value: string }[]
  /** In a fixed order: what the model is told first must not change, or no provider can cache it. */
  tools?: readonly Tool[]
  /** What its tools may use beside what every tool may. */
  context?(turn: TurnScope, call: CallId, settings: Settings): object
  /** Its lines of the system prompt, built anew for each turn. */
  prompt?(session: Session): readonly PromptSection[]
  /** What is put before the model once, with messages that it has not answered yet. */
  reminders?(turn: TurnScope, unanswered: readonly Message[]): Promise<readonly string[]>
  /** The words that people give it in a thread. */
  commands?: readonly Command[]
  /** The events that it tells screens of, with the shape of their data: type `custom`, told by a tool's `tell`. */
  events?: Readonly<Record<string, z.ZodType>>
  /** What `bobbin doctor` looks at. Nothing has been started then. */
  checks?(config: Config, settings: Settings): Findings
  /** A file came with a message: in the transaction in which that is read. What it throws, fails the transaction. */
  uploaded?(tx: Tx, session: SessionId, path: string): Promise<unknown>
  /** The kinds of long work that it runs in the background. */
  jobs?(bot: Services, settings: Settings): readonly JobKind[]
  /** Answers what comes to `/api/v1/capabilities/<name>/…`; whoever asks has passed the same door as the console. */
  routes?(bot: Services): (request: Request) => Response | Promise<Response>
  /** Called once, before the first turn, in the order of the capabilities. */
  start?(bot: Services, settings: Settings): void | Promise<void>
  /** Called once, in the opposite order. */
  stop?(): void | Promise<void>
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
