import type { ShareTiming } from './files/shares.ts'

/** All waits of the adapter, in ms. */
export interface Timing extends ShareTiming {
  /** How late a pong may be; pings are sent three times as often. */
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
  /** How long after Slack says that it drops events they are read back, ms. */
  limitedMs: number
  lingerMs: number
  /** A name isn't worth making Slack wait for an acknowledgement, which should take less than a second. */
  nameMs: number
  /** Slack waits no longer for an acknowledgement: then a request is answered as one that failed. */
  ackMs: number
  /** A stream is ended before Slack does it, and the message continues by edits. */
  streamMs: number
  /** How often the position up to which everything was heard is stored, at most. */
  cursorMs: number
  /** Younger messages may still come by themselves, even if they are found in a history first. */
  lateMs: number
  /** Between two reads while catching up for long. */
  gentleMs: number
  /** How often to ask Slack whether it still accepts the bot token. */
  standingMs: number
  /** What couldn't be stored or read is read back after this long, and again, after twice as long each time. */
  againMs: number
  /** How often Homes that were opened lately are looked at again while things happen, at most. */
  homeMs: number
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
  limitedMs: 60_000,
  lingerMs: 10_000,
  nameMs: 500,
  ackMs: 3_000,
  streamMs: 4 * 60_000,
  cursorMs: 15_000,
  lateMs: 5_000,
  gentleMs: 1_300,
  standingMs: 60_000,
  againMs: 2_000,
  homeMs: 10_000,
  uploadMs: 30_000,
  sharedMs: 3_000,
  longestSharedMs: 30_000,
}
