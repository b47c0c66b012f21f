/** How long what may take. All in ms. */
export interface Timing {
  /** The bot starts without Discord when connecting takes longer. */
  startMs: number
  /** How often the connection is looked at. */
  lookMs: number
  /** A connection that does not come about within it is made anew. */
  stuckMs: number
  /** Heartbeats come every 41 s or so: without any sign for so long, something is wrong. */
  silentMs: number
  /** Without any event for so long, Discord is asked whether there was one. */
  quietMs: number
  /** A session that has lasted so long counts as good. */
  lastingMs: number
  /** Discord wants so much time between two new sessions. */
  spacingMs: number
  /** Between attempts to connect; doubles up to the longest. */
  retryMs: number
  longestRetryMs: number
  /** Closing waits so long for the other side. */
  closeMs: number
  /** The place up to which all was heard is kept this often. */
  cursorMs: number
}

export const usualTiming: Timing = {
  startMs: 8_000,
  lookMs: 5_000,
  stuckMs: 180_000,
  silentMs: 100_000,
  quietMs: 60_000,
  lastingMs: 30_000,
  spacingMs: 5_000,
  retryMs: 1_000,
  longestRetryMs: 300_000,
  closeMs: 3_000,
  cursorMs: 3_000,
}
