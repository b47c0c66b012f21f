import type { ConnectionTiming } from './receive/timing.ts'

/** How long things may take. All in ms. */
export interface Timing extends ConnectionTiming {
  /** How often the position up to which everything was heard is stored. */
  cursorMs: number
  /** What could not be read back is tried again after so long. */
  againMs: number
}

export const usualTiming: Timing = {
  requestMs: 15_000,
  startMs: 8_000,
  lookMs: 5_000,
  serversMs: 15_000,
  stuckMs: 180_000,
  silentMs: 100_000,
  quietMs: 60_000,
  lastingMs: 30_000,
  spacingMs: 5_000,
  retryMs: 1_000,
  longestRetryMs: 300_000,
  closeMs: 3_000,
  cursorMs: 3_000,
  againMs: 30_000,
}
