import type { z } from 'zod'
import type { Config } from '../../config/config.ts'
import type { SettingsSection } from '../../config/section.ts'
import type { Findings } from '../../domain/finding.ts'
import type { CallId, SessionId, TurnId } from '../../domain/ids.ts'
import type { Message } from '../../domain/messages.ts'
import type { Tool } from '../../domain/tool.ts'
import type { JobKind } from '../../jobs/kind.ts'
import type { Json } from '../../kit/json.ts'
import type { Model, ToolDefinition } from '../../kit/model/model.ts'
import type { ParentCall } from '../../store/session-rows.ts'
import type { ProjectRef, Session } from '../../store/sessions.ts'
import type { Db, Store, Tx } from '../../store/store.ts'
import type { StoredTurn } from '../../store/turns.ts'
import type { Command } from './command.ts'
import type { NamedByMessage } from './mentions.ts'
import type { ModelCall, ModelPermit } from './model-permit.ts'
import type { Watcher } from './moments.ts'
import type { Narrowing } from './narrowing.ts'
import type { Operation } from './operation.ts'
import type { ModelScope, Services, TurnScope } from './scope.ts'
import type { NameFault, NamesThere, UnknownName } from './unknown-names.ts'

/**
 * What a running turn is doing: asking the model, running calls, reading results, waiting for a person, trying again.
 */
export type Status = 'thinking' | 'acting' | 'observing' | 'waiting' | 'retrying'

/** Where a hook is called. */
export interface HookContext {
  session: SessionId
  /** Only in a child session: the call that opened it. */
  parent?: ParentCall
  turn: TurnId
  signal: AbortSignal
}

/**
 * One piece of the system prompt, under its name as a heading. When its text changes later, the model is told so at
 * that place in the thread. Nothing that always differs, such as the time, belongs in it.
 */
export interface PromptSection {
  name: string
  text: string
  /**
   * Its text in at most this many characters, or else in one short line, if the prompt would otherwise be too long.
   * Such sections are shortened before the end of any other is left out; what comes back too long is cut in the same
   * way as others.
   */
  shortened?: (characters: number) => string
}

/** What the sections of a prompt are built for. */
export interface PromptScope {
  bot: Services
  /** Its own names that people mention in the messages that are about to be read. */
  mentioned: readonly string[]
}

/** Who reads a message in which names were found. */
export interface NamedScope {
  bot: Services
  turn: TurnId
  /** As the model reads it. */
  message: Message
}

/** The request that a history is wanted for. */
export interface HistoryNeed {
  model: Pick<Model, 'contextLimit' | 'outputLimit'>
  /** The system prompt. */
  system: string
  /** The tools that are offered. */
  tools: readonly ToolDefinition[]
  /** The whole history, if it is known already. */
  known: Message[] | undefined
  /** The model refused the last request as too long. */
  tooLong: boolean
}

/** What of the history is sent, in order, and what the model is reminded of with it. */
export interface SentHistory {
  messages: Message[]
  /** What came since the model's latest reply. Whatever that asks to have answered again stands before it. */
  unanswered: Message[]
  reminders: readonly string[]
}

/** Another round, and how many model calls the text that asks for it is sent to. */
export interface AnotherRound {
  again: string
  rounds?: number
}

/** A replaced result, and how many model calls it is sent to. */
export interface Kept {
  result?: string
  rounds?: number
}

/**
 * Something Bobbin can do beyond listening, looping and answering. Ours and plug-ins use the same interface. A hook
 * keeps no state; it knows only what it is passed. A hook that throws, or returns something else than it should, is
 * logged and skipped, except `mayCall` and `beforeCall`, whose errors refuse the call. What it has written in a
 * transaction by then stays, unless it throws what the database said and that may have ended the transaction, as
 * anything does on PostgreSQL: then the transaction fails, and is tried again where that helps. It mustn't keep such an
 * error to itself. After a stop or an outage the next run asks it again, so whatever it stores, it stores once.
 * `settings` are parsed by their schema.
 */
export interface Capability<Settings = unknown> {
  name: string
  /** The heading of its checks in `bobbin doctor`; its name if missing. */
  title?: string
  /** Its section of `config/bobbin.yaml`, checked by `bobbin config check`. Everything in it has a default. */
  settings?: SettingsSection<Settings>
  /**
   * Names in its file that nothing has, for `bobbin config check` and for the start: where they are, and what has such
   * names. Also those that can't be used because something else has them. `tools` are all there are; `mayBe` says
   * whether a tool may be found later.
   */
  unknownNames?(settings: Settings, there: NamesThere): readonly (UnknownName | NameFault)[]
  /** Secret values among its settings, with their names. They are never shown. `variables`: for `${NAME}`. */
  secrets?(settings: Settings, variables: Config['variables']): readonly { name: string; value: string }[]
  /** Their order must not change, or the provider can't cache the prompt. */
  tools?: readonly Tool[]
  /**
   * Tools that it finds out about while it runs: those for the threads there, or without a place all that there are.
   * The same list is returned until something in it changes.
   */
  found?(bot: Services, where?: ProjectRef): readonly Tool[]
  /** Those that an earlier bot found, for commands that run without one. `open` opens its database. */
  foundBefore?(open: () => Promise<Store>, settings: Settings): Promise<readonly Tool[]>
  /** Whether it may find a tool of this name (or one that fits it, if `*` ends it), so that rules may be about it. */
  mayFind?(name: string, settings: Settings): boolean
  /** Names of no tools for which the rules may say who decides; see `whyMayNot`. Not for plug-ins. */
  deciderNames?: readonly string[]
  /** What a turn waits for before it begins, such as tools that are being looked for. It must end by itself. */
  ready?(bot: Services): Promise<void> | undefined
  /** What its tools may use besides the usual context. */
  context?(turn: TurnScope, call: CallId, settings: Settings): object
  /** Its sections of the system prompt, built anew for each turn. */
  prompt?(
    session: Session,
    about: PromptScope,
    settings: Settings,
  ): readonly PromptSection[] | Promise<readonly PromptSection[]>
  /** What people can write with @ in this thread, besides tools. Asked only about messages that have an @. */
  names?(session: Session, bot: Services, settings: Settings): Promise<readonly string[]>
  /** Which of its names a message means without an @, and why. Asked about each message of a person. */
  implied?(text: string, session: Session, bot: Services, settings: Settings): Promise<readonly NamedByMessage[]>
  /** A message mentions or implies these of its names: called in the transaction that reads it. */
  named?(tx: Tx, session: SessionId, named: readonly NamedByMessage[], about: NamedScope): Promise<unknown>
  /** A turn continues another, or answers its message anew: called in the transaction that reads it. */
  continued?(tx: Tx, session: SessionId, about: { turn: TurnId; continues: TurnId }): Promise<unknown>
  /** What of the thread a turn does without. Asked whenever the session's row was read, so it looks nothing up. */
  narrows?(session: Session, turn: StoredTurn, settings: Settings): Narrowing | undefined
  /** Called before calls run, when the workspace is there. */
  beforeCalls?(turn: TurnScope, settings: Settings): Promise<unknown>
  /** Shown to the model once, with the messages it hasn't answered yet. `sent`: all that it is sent. */
  reminders?(turn: TurnScope, unanswered: readonly Message[], sent: readonly Message[]): Promise<readonly string[]>
  /**
   * Chooses what of the history the model is sent. Calls and their results stay together, and what asks for something
   * stays. Undefined leaves it to the next capability; in the end it is the latest messages.
   */
  history?(turn: TurnScope, need: HistoryNeed, settings: Settings): Promise<SentHistory | undefined>
  /** What it says about a thread, by name: `context` and `prompt` are asked for over HTTP. */
  views?(bot: Services, settings: Settings): Readonly<Record<string, (session: Session) => Promise<Json>>>
  /** Its lines in the session command `status`, in Markdown. */
  standing?(bot: Services, settings: Settings): (session: Session) => Promise<readonly string[]>
  /** The session commands it adds. */
  commands?(bot: Services, settings: Settings): readonly Command[]
  /** The events it sends to screens, with the shape of their data: type `custom`, sent by a tool's `tell`. */
  events?: Readonly<Record<string, z.ZodType>>
  /** What `bobbin doctor` checks. Nothing has been started then. */
  checks?(config: Config, settings: Settings): Findings
  /**
   * `bobbin <name> …` on the command line. Returns the exit code; nothing has been started then. `open` opens the
   * database, if there is one yet. Not for plug-ins.
   */
  terminal?(args: string[], config: Config, settings: Settings, open: () => Promise<Store | undefined>): Promise<number>
  /** Called when a file came with a message, in the transaction that reads it. An error fails the transaction. */
  uploaded?(tx: Tx, session: SessionId, path: string): Promise<unknown>
  /**
   * Called when somebody edits or deletes a message that was read before, or goes back to it, in the transaction that
   * changes it: whatever was made from its old text has to go. `message` is its number. `undone`: what came after it is
   * gone, too.
   */
  rewritten?(tx: Tx, session: SessionId, message: number, how: 'changed' | 'undone'): Promise<unknown>
  /** The kinds of background jobs it runs. */
  jobs?(bot: Services, settings: Settings): readonly JobKind[]
  /** Where its routes are below `/api/v1/`, if not at `capabilities/<name>`. Not for plug-ins. */
  routesAt?: string
  /** Answers requests to `/api/v1/capabilities/<name>/…`, with the same access checks as the console. */
  routes?(bot: Services): (request: Request) => Response | Promise<Response>
  /** What its routes do, for `/api/v1/openapi.json`. */
  operations?(): Promise<readonly Operation[]>
  /** Returns what watches the bot's turns. Called once for each bot. */
  watch?(bot: Services, settings: Settings): Watcher | undefined
  /** Called once, before the first turn, in list order. */
  start?(bot: Services, settings: Settings): void | Promise<void>
  /** Called once, in reverse order. */
  stop?(bot: Services): void | Promise<void>
  /** Called once, before the session's system prompt is stored. Returns what replaces it. */
  promptBuilt?(prompt: string, context: HookContext): string | Promise<string>
  /**
   * Called with a person's message, or an edit of it, before it is stored for the model. Returns what replaces it. May
   * take 10 s over an edit. Also called with what an edited or deleted message said before, if it isn't stored what
   * plug-ins made of that.
   */
  userMessage?(text: string, context: HookContext): string | Promise<string>
  status?(status: Status, context: HookContext): void | Promise<void>
  /** Streamed text, as it is shown. */
  text?(delta: string, context: HookContext): void
  /**
   * Called with a reply that has no calls. `again` asks for another round, with this text as the next message.
   * `rounds`: how many model calls that message is sent to. It stays in the stored history.
   */
  replyComplete?(
    reply: { text: string; round: number },
    context: HookContext,
    settings: Settings,
  ): AnotherRound | undefined | Promise<AnotherRound | undefined>
  /**
   * Whether a turn goes on by itself although the model has replied without calls, as with a plan that isn't over, and
   * whether the model may say nothing now. May be asked in a transaction. An error ends the turn. Not for plug-ins.
   */
  underway?(db: Db, turn: StoredTurn, settings: Settings): Promise<{ maySayNothing: boolean } | undefined>
  /** Called before each request to a model. An error ends the turn. What is written aside can't wait for people. */
  beforeModel?(call: ModelCall, scope: ModelScope): Promise<ModelPermit | undefined>
  /** Called with a reserve whose request brought no reply, and whether it may have cost something. */
  modelFailed?(reserve: string, cost: 'nothing' | 'unknown', scope: ModelScope): Promise<void>
  /**
   * Whether a call may be made now: an error refuses it. Asked before people are, each time the call is looked at.
   */
  mayCall?(tool: Tool, turn: TurnScope, input: unknown): void | Promise<void>
  beforeCall?(call: { tool: string; input: unknown }, context: HookContext): void | Promise<void>
  /** Returns what replaces the result, and how many model calls the call and its result are sent to. */
  callDone?(
    call: { tool: string; input: unknown; status: string; result: string },
    context: HookContext,
  ): string | Kept | undefined | Promise<string | Kept | undefined>
  /** Only the replies of child sessions concern its `replyComplete`. */
  ofChildren?: boolean
  /**
   * How many extra rounds `again` may ask for per message of a person (default 3), and per one that led to tool calls.
   */
  rounds?: { message?: number; withCalls?: number }
}
