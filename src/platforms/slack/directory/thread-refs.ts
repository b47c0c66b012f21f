import type { ThreadRef } from '../../../domain/chat.ts'
import { messageKey } from '../../../domain/keys.ts'
import type { Identity } from '../api/identity.ts'

export interface SlackThread {
  channel: string
  /** The first message of the thread. */
  thread: string
}

export const platformName = 'slack'

export const refOf = (me: Identity, { channel, thread }: SlackThread): ThreadRef => ({
  platform: platformName,
  tenant: me.team,
  project: channel,
  thread,
})

/** Of the post itself: app_mention and message events of one post share it, however often they come. */
export const dedupKeyOf = (me: Identity, channel: string, ts: string): string =>
  messageKey({ platform: platformName, tenant: me.team, project: channel }, ts)

export const rootOf = ({ thread_ts, ts }: { thread_ts?: string | undefined; ts: string }): string => thread_ts ?? ts

/** Slack's time stamps are seconds. */
export const msOf = (ts: string): number => Math.round(Number(ts) * 1_000)
