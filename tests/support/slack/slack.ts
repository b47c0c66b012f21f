import type { Courier } from './courier.ts'
import type { Events } from './events.ts'
import type { Misbehaviour } from './misbehave.ts'
import type { ResponseUrls } from './response-urls.ts'
import type { Settings } from './settings.ts'
import type { SocketMode } from './socket.ts'
import type { Triggers } from './triggers.ts'
import type { ApiCall } from './types.ts'
import type { World } from './world.ts'

/** State shared by all parts of the server. */
export interface Slack {
  world: World
  settings: Settings
  misbehave: Misbehaviour
  courier: Courier
  events: Events
  sockets: SocketMode
  triggers: Triggers
  responseUrls: ResponseUrls
  /** Limits and formats that the bot broke; tests expect none. */
  violations: string[]
  calls: ApiCall[]
  /** Of assistant.threads.*: by `channel:thread_ts`. */
  statuses: Map<string, { status: string; loadingMessages: string[] }>
  titles: Map<string, string>
  /** By channel, or `channel:thread_ts`. */
  prompts: Map<string, { title: string; message: string }[]>
  uploads: Map<string, { file: string; length: number }>
  /** Where it listens, without a slash at the end. */
  origin(): string
  /** Whether the token was revoked. */
  revoked: boolean
}
