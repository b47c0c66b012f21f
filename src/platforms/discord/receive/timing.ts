/** How long things may take, in ms. */
export interface ConnectionTiming {
  /** A request that takes longer is given up; one with files has more time. */
  requestMs: number
  /** The bot starts without Discord if connecting takes longer. */
  startMs: number
  /** How often the connection is checked. */
  lookMs: number
  /** How long a new session waits for servers that it hasn't heard of yet. */
  serversMs: number
  /** A connection that isn't established in this time is made anew. */
  stuckMs: number
  /** Heartbeats come every 41 s or so: without any sign for this long, something is wrong. */
  silentMs: number
  /** Without any event for this long, Discord is asked whether there was one. */
  quietMs: number
  /** A session that has lasted this long counts as good. */
  lastingMs: number
  /** The time that Discord requires between two new sessions. */
  spacingMs: number
  /** Between attempts to connect; doubles up to the longest. */
  retryMs: number
  longestRetryMs: number
  /** How long closing waits for the other side. */
  closeMs: number
}

/** How long to wait after this many failures, ms; the longest if the login was refused. */
export function retryAfter(
  { retryMs, longestRetryMs }: ConnectionTiming,
  failures: number,
  isRefused: boolean,
): number {
  return isRefused ? longestRetryMs : Math.min(retryMs * 2 ** (failures - 1), longestRetryMs)
}
