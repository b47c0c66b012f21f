import type { Health } from '../../platform.ts'

/** How Slack's events arrive: through a socket that we keep open, or as requests to us. */
export interface Intake {
  start(): Promise<void>
  /** Afterwards nothing comes in any more. */
  stop(): Promise<void>
  health(): Health
}
