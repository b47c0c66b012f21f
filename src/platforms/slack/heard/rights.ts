import { z } from 'zod'
import type { EventTakers } from '../api/bolt.ts'
import type { SlackWorkspace } from '../directory/workspace.ts'
import { greet } from './greet.ts'

interface RightsDeps {
  slack: SlackWorkspace
  /** What was refused there may be posted now. */
  retryRefused(where: { tenant: string; project: string }): Promise<void>
  /** Asks Slack who we are, and so whether it still accepts the token. */
  checkToken(): Promise<unknown>
  echo: { heard(file: string): void }
}

const joined = z.object({ user: z.string(), channel: z.string(), inviter: z.string().optional() })
const created = z.object({ file_id: z.string() })
const renumbered = z.object({ old_channel_id: z.string(), new_channel_id: z.string() })
const inChannel = z.object({ channel: z.string() })

/**
 * Events that change where the bot may post, or that show that events arrive. Nothing about them is stored, so nothing
 * waits for it.
 */
export function rightsEvents({ slack, retryRefused, checkToken, echo }: RightsDeps): EventTakers {
  const { me } = slack
  const unarchived = async (event: unknown) => {
    const { data } = inChannel.safeParse(event)
    if (data !== undefined) void retryRefused({ tenant: me.team, project: data.channel })
  }
  // Slack has to be asked whether our own token is among those revoked.
  const revoked = async () => void checkToken().catch(() => {})
  return {
    async member_joined_channel(event) {
      const { data } = joined.safeParse(event)
      if (data?.user !== me.userId) return
      void retryRefused({ tenant: me.team, project: data.channel })
      if (data.inviter !== undefined) void greet(slack, data.channel)
    },
    // Slack does this when a private channel is shared with another workspace.
    async channel_id_changed(event) {
      const { data } = renumbered.safeParse(event)
      if (data === undefined) return
      const about = { platform: 'slack', before: data.old_channel_id, now: data.new_channel_id }
      slack.log.warn(about, 'a channel’s id has changed: replace the old one in the configuration, in rules and lists')
    },
    channel_unarchive: unarchived,
    group_unarchive: unarchived,
    // Slack sends these for our own files only.
    async file_created(event) {
      const { data } = created.safeParse(event)
      if (data !== undefined) echo.heard(data.file_id)
    },
    tokens_revoked: revoked,
    app_uninstalled: revoked,
  }
}
