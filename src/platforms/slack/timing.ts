/** All waiting of the adapter, in ms. */
export interface Timing {
  /** A pong may be missing for so long; one is asked for three times as often. */
  pongMs: number
  silentMs: number
  checkMs: number
  quietMs: number
  quietEverywhereMs: number
  echoMs: number
  echoRestMs: number
  echoFirstMs: number
  openMs: number
  goodbyeMs: number
  firstWaitMs: number
  longestWaitMs: number
  unwantedMs: number
  lingerMs: number
  /** A name is not worth making Slack wait for an acknowledgement, which is to take less than a second. */
  nameMs: number
  /** A stream is ended before Slack does, and the message goes on by edits. */
  streamMs: number
  /** How often the place is kept up to which everything was heard, at most. */
  cursorMs: number
  /** What is younger than this may still come by itself, when it is found in a history first. */
  lateMs: number
  /** Between two reads of a long catching up. */
  gentleMs: number
  /** How often Slack is asked whether it still takes the bot token. */
  standingMs: number
  /** What could not be stored is read back after so long, and again. */
  againMs: number
}

export const usualTiming: Timing = {
  pongMs: 15_000,
  silentMs: 30_000,
  checkMs: 5_000,
  quietMs: 60_000,
  quietEverywhereMs: 5 * 60_000,
  echoMs: 10_000,
  echoRestMs: 60 * 60_000,
  echoFirstMs: 15_000,
  openMs: 15_000,
  goodbyeMs: 1_000,
  firstWaitMs: 500,
  longestWaitMs: 30_000,
  unwantedMs: 10_000,
  lingerMs: 10_000,
  nameMs: 500,
  streamMs: 4 * 60_000,
  cursorMs: 5_000,
  lateMs: 5_000,
  gentleMs: 1_300,
  standingMs: 60_000,
  againMs: 10_000,
}
