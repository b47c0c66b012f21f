/** How long what may take, in ms. */
export interface ConnectionTiming {
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
}

/** How long to wait after so many failures, ms; longest when the login was refused. */
export function retryAfter(
  { retryMs, longestRetryMs }: ConnectionTiming,
  failures: number,
  isRefused: boolean,
): number {
  return isRefused ? longestRetryMs : Math.min(retryMs * 2 ** (failures - 1), longestRetryMs)
}
