import type { Reason } from '../../platform.ts'
import { slackWords } from '../words/words.ts'

const install = () => slackWords.reinstallAppRemedy()
const copyToken = () => slackWords.replaceBotTokenRemedy()
const invite = () => ({ said: slackWords.channelNotJoinedSaid(), remedy: slackWords.inviteRemedy() })
const unarchive = () => ({ why: slackWords.channelArchived(), remedy: slackWords.unarchiveRemedy() })
const askAdmin = () => slackWords.askAdminRemedy()

/** The token isn't accepted, so nothing at all can be posted. */
export const ofToken: Record<string, () => Reason> = {
  account_inactive: () => ({ why: slackWords.appUninstalled(), remedy: install() }),
  app_uninstalled: () => ({ why: slackWords.appUninstalled(), remedy: install() }),
  invalid_auth: () => ({ why: slackWords.botTokenUnknown(), remedy: copyToken() }),
  not_allowed_token_type: () => ({ why: slackWords.otherKindOfToken(), remedy: copyToken() }),
  not_authed: () => ({ why: slackWords.tokenMissing(), remedy: copyToken() }),
  org_login_required: () => ({ why: slackWords.workspaceMigrating(), remedy: slackWords.workspaceMigratingRemedy() }),
  team_access_not_granted: () => ({
    why: slackWords.noAccessToWorkspace(),
    remedy: slackWords.addToWorkspaceRemedy(),
  }),
  team_disabled: () => ({ why: slackWords.workspaceDisabled(), remedy: slackWords.workspaceDisabledRemedy() }),
  token_expired: () => ({ why: slackWords.tokenExpired(), remedy: install() }),
  token_revoked: () => ({ why: slackWords.tokenRevoked(), remedy: install() }),
}

/** Somebody can fix these, too. */
const repairable: Record<string, () => Reason> = {
  access_denied: () => ({ why: slackWords.postingForbidden(), remedy: askAdmin() }),
  channel_not_found: () => ({ why: slackWords.noSuchChannel(), ...invite() }),
  ekm_access_denied: () => ({ why: slackWords.postingSuspended(), remedy: askAdmin() }),
  file_uploads_disabled: () => ({ why: slackWords.uploadsDisabled(), remedy: askAdmin() }),
  file_uploads_except_images_disabled: () => ({ why: slackWords.imagesOnly(), remedy: askAdmin() }),
  is_archived: unarchive,
  is_inactive: unarchive,
  messages_tab_disabled: () => ({
    why: slackWords.messagesTabOff(),
    remedy: slackWords.messagesTabOffRemedy(),
  }),
  no_permission: () => ({ why: slackWords.postingForbidden(), remedy: askAdmin() }),
  not_in_channel: () => ({ why: slackWords.channelNotJoined(), ...invite() }),
  restricted_action: () => ({ why: slackWords.postingRestricted(), remedy: askAdmin() }),
  restricted_action_non_threadable_channel: () => ({ why: slackWords.threadsForbidden(), remedy: askAdmin() }),
  restricted_action_read_only_channel: () => ({ why: slackWords.readOnly(), remedy: askAdmin() }),
  restricted_action_thread_locked: () => ({ why: slackWords.threadLocked(), remedy: slackWords.unlockRemedy() }),
  restricted_action_thread_only_channel: () => ({ why: slackWords.threadsOnly(), remedy: askAdmin() }),
  storage_limit_reached: () => ({
    why: slackWords.storageFull(),
    remedy: slackWords.storageFullRemedy(),
  }),
}

/** The thread no longer exists, or whoever the direct messages are with has left. */
const gone = new Set(['invalid_thread_ts', 'thread_not_found', 'user_disabled', 'user_not_found'])

/** Nobody can fix these. */
const final: Record<string, () => string> = {
  cannot_reply_to_message: () => slackWords.replyImpossible(),
  cant_update_message: () => slackWords.notOurMessage(),
  cannot_dm_bot: () => slackWords.recipientIsABot(),
  edit_window_closed: () => slackWords.editWindowClosed(),
  file_upload_size_restricted: () => slackWords.fileOverLimit(),
  invalid_thread_ts: () => slackWords.threadDeleted(),
  message_not_found: () => slackWords.messageDeleted(),
  msg_too_long: () => slackWords.textTooLong(),
  thread_not_found: () => slackWords.threadDeleted(),
  user_disabled: () => slackWords.accountDeactivated(),
  user_not_found: () => slackWords.personLeft(),
}

/** Slack's codes for a message that it doesn't accept: it would refuse the same message again. */
const aboutTheMessage =
  /^(invalid_|msg_|metadata_|no_text|too_many_|markdown_text_|attachment|duplicate_|block|message_|stream|user_is_|cannot_|cant_|as_user|unknown_method|deprecated|method_)/

export type KnownRefusal = { again: 'repairable'; reason: Reason } | { again: 'never'; reason: Reason }

/** What a refusal means, by its code. An unknown code is tried again: most of them are rules of a workspace. */
export function refusalOf(code: string): KnownRefusal {
  const token = ofToken[code]
  if (token !== undefined) return { again: 'repairable', reason: { ...token(), everywhere: true } }
  const mendable = repairable[code]
  if (mendable !== undefined) return { again: 'repairable', reason: mendable() }
  const why = final[code]
  if (why !== undefined)
    return { again: 'never', reason: { why: why(), gone: gone.has(code), isMissing: code === 'message_not_found' } }
  return { again: aboutTheMessage.test(code) ? 'never' : 'repairable', reason: { why: slackWords.slackSays({ code }) } }
}
