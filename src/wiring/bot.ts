import type { Clock } from '../kit/clock.ts'
import type { Model } from '../kit/model/model.ts'
import type { Sandbox } from '../kit/sandbox/port.ts'
import type { Web } from '../kit/web/port.ts'
import type { ChatPlatform, PlatformDeps } from '../platforms/platform.ts'
import type { Capability } from '../turn/capability.ts'

export interface Bot {
  /** Of the console, with the token where one is needed. */
  url: string
  model: { name: string; practice: boolean }
  /** Resolves when everything has stopped; what was under way continues at the next start. */
  stop(): Promise<void>
}

/** What tests give, and what happens when another process has taken over. */
export interface Surroundings {
  clock?: Clock
  model?: Model
  plugins?: Capability[]
  sandbox?: Sandbox
  web?: Web
  /** In place of those that the configuration names; the console is always there. */
  platforms?(deps: PlatformDeps): ChatPlatform[]
  /** Another process has taken over. */
  lostToAnother?(): void
  /** Hears of every statement that the database is sent: `npm run bench:database` counts them. */
  onStatement?(sql: string): void
  /** Aborted when the process is told to end: a start that is under way is given up. */
  leaving?: AbortSignal
}
