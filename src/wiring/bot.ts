import type { Clock } from '../kit/clock.ts'
import type { Log } from '../kit/log.ts'
import type { Model } from '../kit/model/model.ts'
import type { Sandbox } from '../kit/sandbox/port.ts'
import type { Web } from '../kit/web/port.ts'
import type { ChatPlatform, PlatformDeps } from '../platforms/platform.ts'
import type { Capability } from '../turn/port/capability.ts'

export interface Bot {
  /** The console's address; with the token, if it was just made. */
  url: string
  /** The console listens beyond this machine, so that it asks for a token. */
  asksForToken: boolean
  model: { name: string; practice: boolean }
  log: Log
  /** Resolves when everything has stopped. Unfinished work continues at the next start. */
  stop(): Promise<void>
}

/** What tests replace, and what happens when another process takes over. */
export interface Surroundings {
  clock?: Clock
  /** By which a pause of this process is noticed. */
  machine?: Clock
  model?: Model
  plugins?: Capability[]
  sandbox?: Sandbox
  web?: Web
  /** How long plug-ins may take over an edit or a deletion, ms. */
  editHookMs?: number
  /** Used instead of the configured platforms; the console is always there. */
  platforms?(deps: PlatformDeps): ChatPlatform[]
  /** Another process has taken over. */
  lostToAnother?(): void
  /** It was told to let go of its work, and has done so. */
  drained?(): void
  /** Called with every statement sent to the database: `npm run bench:database` counts them. */
  onStatement?(sql: string): void
  /** Aborted when the process is told to stop, so that a start under way is given up. */
  leaving?: AbortSignal
}
