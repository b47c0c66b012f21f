import type { Config } from '../../config/config.ts'
import type { Engine } from '../../domain/engine.ts'
import type { SessionId } from '../../domain/ids.ts'
import type { Tool } from '../../domain/tool.ts'
import type { Workspace } from '../../domain/workspace.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Documents, ReadBudgets } from '../../kit/documents/document.ts'
import type { SlotName, ToolDefinition } from '../../kit/model/model.ts'
import type { Sandbox } from '../../kit/sandbox/port.ts'
import type { OwnSecret } from '../../kit/secrets/own.ts'
import type { Web } from '../../kit/web/port.ts'
import type { ChatPlatform } from '../../platforms/platform.ts'
import type { NextAt } from '../../store/next-at.ts'
import type { Session } from '../../store/sessions.ts'
import type { Lease, Store } from '../../store/store.ts'
import type { StoredTurn } from '../../store/turns.ts'
import type { Rules } from '../../trust/rules.ts'
import type { IsMember } from '../../trust/who.ts'
import type { MeasuredWorkspace } from '../../workspace/workspace.ts'
import type { Workspaces } from '../../workspace/workspaces.ts'
import type { AsideOrder, Embed } from './aside.ts'
import type { EnabledTools, NamedModel } from './command.ts'
import type { Recognizes } from './recognizes.ts'

/** The parts of the bot that a capability may use. */
export interface Services {
  version: string
  /** Identifies this process in the rows it holds. */
  holder: string
  config: Config
  store: Store
  engine: Engine
  clock: Clock
  /** When this process began to run, or went on after a time in which it was frozen or nothing could be stored. */
  awakeSince(): number
  toolbox: EnabledTools
  /** Whether a capability may find a tool of this name (or one that fits it, if `*` ends it). */
  mayFind(name: string): boolean
  rules: Rules
  isMember: IsMember
  platforms: ReadonlyMap<string, ChatPlatform>
  workspaces: Workspaces
  sandbox: Sandbox
  web: Web
  documents: Recognizes & {
    /** The documents of a session's workspace. */
    of(session: SessionId, workspace: Workspace): Documents
    /** Forgets what hasn't been used for long. */
    clean(): Promise<void>
    /** How much of a document is shown at once. */
    budgets: ReadBudgets
  }
  /** The configured models by slot; `base` is always there. */
  models: ReadonlyMap<SlotName, NamedModel>
  /** The tools that a session's model is offered. */
  offeredTo(session: Session): Promise<ToolDefinition[]>
  /** Has the base model write a text for a session, outside its turns and within its budgets. Throws ModelFailure. */
  write(session: SessionId, order: AsideOrder, signal: AbortSignal): Promise<string>
  /** Undefined if no embedding model is configured. */
  embed: Embed | undefined
  /** Runs `look` whenever something in the database is due, until the bot stops. */
  whenDue(what: string, nextAt: NextAt, look: () => Promise<void>): void
  /**
   * Runs `look` again and again from the bot's start until its stop. May only be asked for before it has started.
   * `isOwn`: also while the bot is drained, because nobody else does it.
   */
  often(what: string, look: () => Promise<void>, everyMs?: number, options?: { isOwn: boolean }): void
  /** Masks these values from now on, as those that `secrets` names are from the start. */
  learnSecrets(secrets: readonly OwnSecret[]): void
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
  /** The tools that the model is offered. */
  readonly offered: readonly Pick<Tool, 'name'>[]
  /** Whether images can be sent to a model. */
  canSee: boolean
  /** It is shown on a platform, not only on screens. */
  isPosted: boolean
  /** Offers the model these tools from its next request on. Returns those that there are, by what became of them. */
  load(tools: readonly string[]): Promise<{ loaded: string[]; noRoom: string[] }>
  /** What `@name` in a message here means: `tool`, or the capability that has the name, `besides` this one. */
  ownerOf(name: string, besides?: string): Promise<string | undefined>
  /** Has the session's row read, and the sections of the prompt built again, before the next request. */
  promptChanged(): void
}

/** What a model is asked for: a turn, or a text that is written `aside`, for which nobody holds the session. */
export interface ModelScope
  extends Pick<TurnScope, 'bot' | 'session' | 'row' | 'signal'>,
    Partial<Pick<TurnScope, 'promptChanged'>> {
  lease?: Lease
  aside?: string
}
