import type { Health } from '../../platform.ts'

/** How Slack's events come in: by a socket that we keep open, or by requests to us. */
export interface Intake {
  start(): Promise<void>
  /** Afterwards nothing comes in any more. */
  stop(): Promise<void>
  health(): Health
}
