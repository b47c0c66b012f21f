import type { ChatPlatform, PlatformDeps } from './chat/platform.ts'
import type { Clock } from './domain/clock.ts'
import type { Model } from './domain/model.ts'
import type { Plugin } from './domain/plugin.ts'
import type { Sandbox } from './domain/sandbox.ts'
import type { Web } from './domain/web.ts'

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
  plugins?: Plugin[]
  sandbox?: Sandbox
  web?: Web
  /** In place of those that the configuration names; the console is always there. */
  platforms?(deps: PlatformDeps): ChatPlatform[]
  lostToAnother?(): void
  /** Hears of every statement that the database is sent: `npm run bench:database` counts them. */
  onStatement?(sql: string): void
  /** Aborted when the process is told to end: a start that is under way is given up. */
  leaving?: AbortSignal
}
