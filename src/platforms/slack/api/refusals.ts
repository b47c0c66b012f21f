import type { Reason } from '../../platform.ts'
import { slackWords } from '../words/words.ts'

const install = () => slackWords.reinstallAppUnderOauthPermissions()
const copyToken = () => slackWords.copyBotTokenXoxbFrom()
const invite = () => ({ said: slackWords.imNotChannel(), remedy: slackWords.inviteMeInvite() })
const unarchive = () => ({ why: slackWords.channelArchived(), remedy: slackWords.unarchive() })
const askAdmin = () => slackWords.askAdminWorkspaceAllowApp()

/** The token isn't accepted, so nothing at all can be posted. */
export const ofToken: Record<string, () => Reason> = {
  account_inactive: () => ({ why: slackWords.appRemovedFromWorkspace(), remedy: install() }),
  app_uninstalled: () => ({ why: slackWords.appRemovedFromWorkspace(), remedy: install() }),
  invalid_auth: () => ({ why: slackWords.slackDoesntRecogniseBotToken(), remedy: copyToken() }),
  not_allowed_token_type: () => ({ why: slackWords.slackBotTokenHoldsToken(), remedy: copyToken() }),
  not_authed: () => ({ why: slackWords.noBotTokenSent(), remedy: copyToken() }),
  org_login_required: () => ({ why: slackWords.workspaceMovingAnotherPlan(), remedy: slackWords.tryAgainLater2() }),
  team_access_not_granted: () => ({
    why: slackWords.appNotGivenAccessWorkspace(),
    remedy: slackWords.askAdminOrganisationAddApp(),
  }),
  team_disabled: () => ({ why: slackWords.workspaceDisabled(), remedy: slackWords.askOwnerWorkspace() }),
  token_expired: () => ({ why: slackWords.botTokenExpired(), remedy: install() }),
  token_revoked: () => ({ why: slackWords.botTokenRevoked(), remedy: install() }),
}

/** Somebody can fix these. */
const repairable: Record<string, () => Reason> = {
  ...ofToken,
  access_denied: () => ({ why: slackWords.workspaceDoesNotLetApp(), remedy: askAdmin() }),
  channel_not_found: () => ({ why: slackWords.channelGoneBotNot(), ...invite() }),
  ekm_access_denied: () => ({ why: slackWords.adminSuspendedPostingWorkspace(), remedy: askAdmin() }),
  file_uploads_disabled: () => ({ why: slackWords.fileUploadsAreSwitchedOff(), remedy: askAdmin() }),
  file_uploads_except_images_disabled: () => ({ why: slackWords.workspaceAcceptsNoFilesExcept(), remedy: askAdmin() }),
  is_archived: unarchive,
  is_inactive: unarchive,
  messages_tab_disabled: () => ({
    why: slackWords.appDoesntAcceptDirectMessages(),
    remedy: slackWords.switchMessagesTabUnderApp(),
  }),
  no_permission: () => ({ why: slackWords.workspaceDoesNotLetApp(), remedy: askAdmin() }),
  not_in_channel: () => ({ why: slackWords.botNotChannel(), ...invite() }),
  restricted_action: () => ({ why: slackWords.workspaceLetsOnlySomePeople(), remedy: askAdmin() }),
  restricted_action_non_threadable_channel: () => ({ why: slackWords.channelDoesntAllowThreads(), remedy: askAdmin() }),
  restricted_action_read_only_channel: () => ({ why: slackWords.channelReadOnly(), remedy: askAdmin() }),
  restricted_action_thread_locked: () => ({ why: slackWords.threadLocked(), remedy: slackWords.unlock() }),
  restricted_action_thread_only_channel: () => ({ why: slackWords.channelAllowsOnlyThreads(), remedy: askAdmin() }),
  storage_limit_reached: () => ({
    why: slackWords.workspaceNoRoomFilesLeft(),
    remedy: slackWords.deleteOldFilesUpgrade(),
  }),
}

/** Nobody can fix these. */
const final: Record<string, () => string> = {
  cannot_reply_to_message: () => slackWords.messageCantReplied(),
  cant_update_message: () => slackWords.messageNotBotsOwn(),
  cannot_dm_bot: () => slackWords.botsCantReceiveDirectMessages(),
  edit_window_closed: () => slackWords.messageTooOldEdited(),
  file_upload_size_restricted: () => slackWords.fileTooLargeWorkspace(),
  invalid_thread_ts: () => slackWords.threadDeleted(),
  message_not_found: () => slackWords.messageDeleted(),
  msg_too_long: () => slackWords.messageTooLong(),
  thread_not_found: () => slackWords.threadDeleted(),
  user_disabled: () => slackWords.personsAccountDeactivated(),
  user_not_found: () => slackWords.personNotWorkspace(),
}

/** Slack's codes for a message that it doesn't accept: it would refuse the same message again. */
const aboutTheMessage =
  /^(invalid_|msg_|metadata_|no_text|too_many_|markdown_text_|attachment|duplicate_|block|message_|stream|user_is_|cannot_|cant_|as_user|unknown_method|deprecated|method_)/

export type KnownRefusal = { again: 'repairable'; reason: Reason } | { again: 'never'; reason: Reason }

/** What a refusal means, by its code. An unknown code is tried again: most of them are rules of a workspace. */
export function refusalOf(code: string): KnownRefusal {
  const mendable = repairable[code]
  if (mendable !== undefined) return { again: 'repairable', reason: mendable() }
  const why = final[code]
  if (why !== undefined) return { again: 'never', reason: { why: why() } }
  return { again: aboutTheMessage.test(code) ? 'never' : 'repairable', reason: { why: slackWords.slackSays({ code }) } }
}
