import type { Hono } from 'hono'
import type { ChatPlatform } from '../chat/platform.ts'
import type { Config } from '../config/config.ts'
import type { Rules } from '../decisions/rules.ts'
import type { IsMember } from '../decisions/who.ts'
import type { Incoming } from '../domain/chat.ts'
import type { Documents } from '../domain/document.ts'
import type { Engine } from '../domain/engine.ts'
import type { SessionId } from '../domain/ids.ts'
import type { Status } from '../domain/plugin.ts'
import type { Receipt } from '../sessions/receipt.ts'
import type { Toolbox } from '../sessions/toolbox.ts'
import type { Workspaces } from '../sessions/workspaces.ts'
import type { Session } from '../store/sessions.ts'
import type { Store } from '../store/store.ts'
import type { Staging } from '../workspace/staging.ts'

/** What the routes are made of. */
export interface ApiDeps {
  store: Store
  engine: Engine
  rules: Rules
  isMember: IsMember
  tools: Toolbox
  config: Config
  staging: Staging
  workspaces: Workspaces
  /** The documents of a session's workspace. */
  documentsOf(session: Session): Promise<Documents>
  platforms: ReadonlyMap<string, ChatPlatform>
  receive(incoming: Incoming): Promise<Receipt>
  /** What the turns that run in this process are at. */
  statuses: ReadonlyMap<SessionId, Status>
  about: { version: string; model: { name: string; practice: boolean } }
  /** On loopback, `user_id` is believed. */
  trustsUserId: boolean
  report(thrown: unknown): void
}

export type Api = Hono
