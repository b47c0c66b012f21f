import type { Hono } from 'hono'
import type { Config } from '../config/config.ts'
import type { Incoming } from '../domain/chat.ts'
import type { Engine } from '../domain/engine.ts'
import type { SessionId } from '../domain/ids.ts'
import type { Receipt } from '../inbound/receipt.ts'
import type { Documents } from '../kit/documents/document.ts'
import type { Json } from '../kit/json.ts'
import type { LiveTexts } from '../outbound/live-texts.ts'
import type { ChatPlatform } from '../platforms/platform.ts'
import type { Session } from '../store/sessions.ts'
import type { Store } from '../store/store.ts'
import type { Rules } from '../trust/rules.ts'
import type { IsMember } from '../trust/who.ts'
import type { Status } from '../turn/port/capability.ts'
import type { Command } from '../turn/port/command.ts'
import type { Endpoint } from '../turn/port/moments.ts'
import type { Operation } from '../turn/port/operation.ts'
import type { Toolbox } from '../turn/state/toolbox.ts'
import type { Staging } from '../workspace/staging.ts'
import type { Workspaces } from '../workspace/workspaces.ts'

/** What the routes need. */
export interface ApiDeps {
  store: Store
  engine: Engine
  liveTexts: LiveTexts
  rules: Rules
  isMember: IsMember
  tools: Toolbox
  /** The routes of capabilities, by name. */
  routes: ReadonlyMap<string, (request: Request) => Response | Promise<Response>>
  /** What they do: of all, or of those that have the address of these parts. */
  operations(at?: readonly string[]): Promise<readonly Operation[]>
  /** Addresses of capabilities outside `/api/v1`. */
  endpoints: readonly Endpoint[]
  /** What capabilities answer about a conversation, by name. */
  views: ReadonlyMap<string, (session: Session) => Promise<Json>>
  /** Session commands. */
  commands: readonly Command[]
  config: Config
  staging: Staging
  workspaces: Workspaces
  /** The documents of a session's workspace. */
  documentsOf(session: Session): Promise<Documents>
  platforms: ReadonlyMap<string, ChatPlatform>
  /** This process, in the rows it holds. */
  holder: string
  /** The holders of other processes that no longer beat. */
  silent(): ReadonlySet<string>
  /** Aborted when the process ends. */
  closing: AbortSignal
  /** Whether everything has started. Until then no work is taken. */
  isStarted(): boolean
  receive(incoming: Incoming): Promise<Receipt>
  /** What the turns of this process are doing. */
  statuses: ReadonlyMap<SessionId, Status>
  about: { version: string; model: { name: string; practice: boolean } }
  /** On loopback, `user_id` is trusted. */
  trustsUserId: boolean
  report(thrown: unknown): void
}

export type Api = Hono
