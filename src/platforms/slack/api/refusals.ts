import type { Reason } from '../../platform.ts'
import { slackWords } from '../words/words.ts'

const install = 'Reinstall the app under “OAuth & Permissions”'
const copyToken = 'Copy the bot token (xoxb-…) from “OAuth & Permissions” into SLACK_BOT_TOKEN and restart Bobbin'
const invite = { said: "I'm not in the channel", remedy: 'Invite me with /invite' }
const unarchive = { why: 'the channel is archived', remedy: 'Unarchive it' }
const askAdmin = 'Ask an admin of the workspace to allow the app to post there'

/** The token isn't accepted, so nothing at all can be posted. */
export const ofToken: Record<string, Reason> = {
  account_inactive: { why: 'the app was removed from the workspace', remedy: install },
  app_uninstalled: { why: 'the app was removed from the workspace', remedy: install },
  invalid_auth: { why: 'Slack doesn’t know the bot token', remedy: copyToken },
  not_allowed_token_type: { why: 'SLACK_BOT_TOKEN holds a token of another kind', remedy: copyToken },
  not_authed: { why: 'no bot token was sent', remedy: copyToken },
  org_login_required: { why: 'the workspace is moving to another plan', remedy: 'Try again later' },
  team_access_not_granted: {
    why: 'the app was not given access to this workspace',
    remedy: 'Ask an admin of the organisation to add the app to this workspace',
  },
  team_disabled: { why: 'the workspace is disabled', remedy: 'Ask an owner of the workspace' },
  token_expired: { why: 'the bot token has expired', remedy: install },
  token_revoked: { why: 'the bot token was revoked', remedy: install },
}

/** Somebody can fix these. */
const repairable: Record<string, Reason> = {
  ...ofToken,
  access_denied: { why: 'the workspace does not let the app post there', remedy: askAdmin },
  channel_not_found: { why: 'the channel is gone, or the bot is not in it', ...invite },
  ekm_access_denied: { why: 'an admin has suspended posting in the workspace', remedy: askAdmin },
  file_uploads_disabled: { why: 'file uploads are switched off in the workspace', remedy: askAdmin },
  file_uploads_except_images_disabled: { why: 'the workspace accepts no files except images', remedy: askAdmin },
  is_archived: unarchive,
  is_inactive: unarchive,
  messages_tab_disabled: {
    why: 'the app doesn’t accept direct messages',
    remedy: 'Switch the Messages tab on under “App Home”',
  },
  no_permission: { why: 'the workspace does not let the app post there', remedy: askAdmin },
  not_in_channel: { why: 'the bot is not in the channel', ...invite },
  restricted_action: { why: 'the workspace lets only some people post there', remedy: askAdmin },
  restricted_action_non_threadable_channel: { why: 'the channel doesn’t allow threads', remedy: askAdmin },
  restricted_action_read_only_channel: { why: 'the channel is read-only', remedy: askAdmin },
  restricted_action_thread_locked: { why: 'the thread is locked', remedy: 'Unlock it' },
  restricted_action_thread_only_channel: { why: 'the channel allows only threads', remedy: askAdmin },
  storage_limit_reached: { why: 'the workspace has no room for files left', remedy: 'Delete old files or upgrade' },
}

/** Nobody can fix these. */
const final: Record<string, string> = {
  cannot_reply_to_message: 'that message can’t be replied to',
  cant_update_message: 'the message is not the bot’s own',
  cannot_dm_bot: 'bots can’t receive direct messages',
  edit_window_closed: 'the message is too old to be edited',
  file_upload_size_restricted: 'the file is too large for the workspace',
  invalid_thread_ts: 'the thread was deleted',
  message_not_found: 'the message was deleted',
  msg_too_long: 'the message is too long',
  thread_not_found: 'the thread was deleted',
  user_disabled: 'the person’s account is deactivated',
  user_not_found: 'the person is not in the workspace',
}

/** Slack's codes for a message that it doesn't accept: it would refuse the same message again. */
const aboutTheMessage =
  /^(invalid_|msg_|metadata_|no_text|too_many_|markdown_text_|attachment|duplicate_|block|message_|stream|user_is_|cannot_|cant_|as_user|unknown_method|deprecated|method_)/

export type KnownRefusal = { again: 'repairable'; reason: Reason } | { again: 'never'; reason: Reason }

/** What a refusal means, by its code. An unknown code is tried again: most of them are rules of a workspace. */
export function refusalOf(code: string): KnownRefusal {
  const mendable = repairable[code]
  if (mendable !== undefined) return { again: 'repairable', reason: mendable }
  const why = final[code]
  if (why !== undefined) return { again: 'never', reason: { why } }
  return { again: aboutTheMessage.test(code) ? 'never' : 'repairable', reason: { why: slackWords.slackSays({ code }) } }
}
