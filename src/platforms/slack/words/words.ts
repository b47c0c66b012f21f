import { catalogue } from '../../../kit/words/catalogue.ts'

/** What only Slack’s people read, and what the doctor says about Slack. */
export const slackWords = catalogue({
  // errors
  addScopeRemedy: 'Add it under “OAuth & Permissions” and reinstall the app',
  appTokenRefusedWithCode: 'Slack doesn’t accept the app token ({code}): {remedy}',

  // identity
  slackUnreachable: 'Slack can’t be reached: {thrown}',
  checkNetworkRemedy: 'Check the network.',

  // refusals
  slackSays: 'Slack says {code}',

  // token standing
  botTokenWorksAgain: 'Slack accepts the bot token again',
  botTokenNowRefused: 'Slack refuses the bot token',

  // approval
  denyWithReason: 'Deny and say why…',

  // feedback form
  whatWrong: 'What was wrong?',
  betterAnswerQuestion: 'What would have been a better answer?',
  readByOperators: 'The people who run the bot can read this.',

  // outcome
  undecided: 'Nobody has decided yet.',

  // groups
  noSuchGroup: 'Slack doesn’t know this user group, so it has no members',
  groupMembersUnknown: 'Slack does not say who is in {group}: {reason}',
  tryAgainRemedy: 'Try again.',

  // doctor
  botTokenAccepted: 'Slack accepts the bot token: @{user} in {team} ({url}).',
  alreadyConnected: 'The bot is running and connected to Slack, so no second connection is tried.',
  appTokenAccepted: 'Slack accepts the app token.',
  connectionUnknown:
    'The bot is running. I can’t tell whether it’s connected to Slack, so no second connection is tried.',
  connectionUnknownRemedy:
    'If its settings have changed since it started, restart it. To try the connection, stop it and run doctor again.',
  scopesUnknown: 'Slack did not say which scopes the app has.',
  scopesMissing: 'The app lacks the scopes {missing}.',
  scopesComplete: 'The app has all {count, number} scopes that it needs.',
  spareScopesRemedy: 'Remove them under “OAuth & Permissions”, unless something else uses the app.',
  spareScopes: 'The app has scopes that the bot does not need: {spare}.',
  inChannels: 'The bot is in {named}{more}.',
  joinedNowhere: 'The bot is in no channel yet.',
  channelsNotListed: 'The channels that the bot is in cannot be listed: {thrown}.',

  // events
  socketSilent: 'Slack accepts the app token, but doesn’t answer on the WebSocket within {seconds} s.',
  socketSilentRemedy: 'A proxy or firewall may be in the way: WebSockets to {host} have to be let through.',
  socketWorks: 'Socket Mode works: Slack answered.',
  tokensOfTwoApps: 'The two tokens belong to different apps: the bot token to {bot}, the app token to {app}.',
  tokensOfTwoAppsRemedy: 'Copy both from the same app at {appPage}.',
  connectionShared: 'Another process is connected with this app token; Slack gives each event to only one of them.',
  connectionSharedRemedy:
    'If it’s one of several bots on one PostgreSQL database, all is well. Otherwise stop it, or give each an app of its own.',
  probeText: 'A test by `doctor`, deleted right away.',
  probeNotPosted: 'No message can be posted in {channel}: {thrown}.',
  probePosted: 'A message was posted in {channel} and deleted.',
  probeNotDeleted: 'The test message in {channel} couldn’t be deleted: {thrown}.',
  probeNotDeletedRemedy: 'Delete it by hand.',
  probeHeard: 'It came back as an event: messages of such channels reach the bot.',
  probeNotHeard: 'It did not come back as an event.',

  // findings
  eventsUnchecked: 'Whether Slack sends the events can’t be checked from here.',
  eventsUncheckedRemedy:
    'Or run doctor with --probe and the id of a channel that the bot is in: it posts a message there and deletes it.',
  publicAddressRemedy:
    'Slack needs a public https address that leads there, with /slack/events after it, as the request URL of “Event Subscriptions”, “Interactivity & Shortcuts” and the slash command.',
  socketModeRemedy: 'Without a public address, use Socket Mode: set SLACK_APP_TOKEN.',
  socketModeDisabled: 'Socket Mode is switched off in the app.',
  socketModeDisabledRemedy: 'Switch it on at {appPage}, your app, “Socket Mode”.',
  connectionLimitReached: 'The app has as many connections as Slack allows.',
  connectionLimitRemedy: 'Stop the other processes that use its app token.',
  connectionEndedAtOnce: 'Slack ended the connection at once ({reason}).',
  tryInAMinuteRemedy: 'Try again in a minute.',
  makeAppTokenRemedy:
    'Make an app-level token (xapp-…) with the scope connections:write at {appPage}, your app, “Basic Information”.',
  slackUnreachableBecause: 'Slack can’t be reached: {thrown}.',
  unreachableRemedy: 'Check the network (I connect directly, not through a proxy), and SLACK_API_URL if you set it.',
  appTokenWithoutScope: 'The app token lacks the scope connections:write.',
  appTokenUnknown: 'Slack doesn’t recognise the app token (SLACK_APP_TOKEN).',
  tokenRefusedWithCode: 'Slack doesn’t accept {name} ({code}).',
  tokenRefusedBecause: 'Slack doesn’t accept {name}: {why}.',
  tokenCheckFailed: 'Slack doesn’t accept {name}: {thrown}.',

  // download
  loginPageCame: 'Slack sent a web page instead',
  loginPageRemedy:
    'The app lacks the scope files:read, or this is a canvas, not a file: add the scope under “OAuth & Permissions” and reinstall the app, or upload a file.',
  uploadAgainRemedy: 'Upload it again.',
  uploadOrShareRemedy: 'Upload it again, or share it with this workspace.',
  noAddressGiven: 'Slack doesn’t say where it is',
  fileElsewhereRemedy: 'Upload the file itself.',
  slackAnswered: 'Slack answered with {status}',

  // upload
  emptyFile: 'the file is empty, and Slack doesn’t accept that',
  uploadTooSlow: 'the upload took too long',
  uploadRefused: 'Slack refused the upload ({status})',
  notShown:
    'Slack accepted {names} but hasn’t posted {count, plural, one {it} other {them}} here. If {count, plural, one {it doesn’t} other {they don’t}} appear, ask me to send {count, plural, one {it} other {them}} again.',

  // clicks
  nothingChosen: 'Choose something first.',
  formNotOpened: 'The form couldn’t be opened: click again, or write the answer here.',
  formTooLate: 'That took too long. The form couldn’t be opened: click again, or write the answer here.',

  // fields
  whereMissing: 'Choose where.',
  howLongMissing: 'Choose for how long.',
  answerMissing: 'Answer this.',
  bothChosenAndWritten: 'Choose an option, or “Something else”: not both.',

  // submissions
  formExpired: 'This form has expired. Open it again.',

  // not connected
  stillConnecting: 'Slack is not connected yet',

  // open intake
  noIntake: 'Slack has no way to reach the bot',
  noIntakeRemedy:
    'Set SLACK_APP_TOKEN for Socket Mode, or SLACK_SIGNING_SECRET and the address where requests come in.',

  // pages
  answerAttached: 'The whole answer is in the file below.',

  // message
  everyFormRejected: 'Slack rejected the message in every form',

  // connection
  eventRefused: 'An event was not acknowledged and will come again: {reason}',
  connectionRefused: 'Slack refused the connection: {end}',

  // echo
  echoMissedRemedy: 'Subscribe the app to the event file_created, as in manifests/slack.yaml.',
  echoNotSentRemedy:
    'Check that Slack’s requests reach the bot, and that the app is subscribed to the event file_created, as in manifests/slack.yaml.',

  // http
  portNotOpened: 'Slack’s requests cannot be received on {host}:{port}: {reason}',
  portNotOpenedRemedy: 'Choose another port, or stop what listens there.',
  noRequestsYet: 'listening for Slack’s requests, but no event has arrived since the start',
  requestsMissing: 'Slack’s events no longer arrive',
  requestsMissingRemedy:
    'Check the proxy or tunnel in front of the bot, and whether “Event Subscriptions” is still on in the app’s settings. What is missed is read back.',

  // socket client
  unreadableMessage: 'A message of Slack’s couldn’t be read: {reason}',

  // stay connected
  silentSeconds: 'Slack has been silent for {seconds} s',
  appTokenRefused: 'Slack doesn’t accept the app token.',
  appTokenRefusedRemedy:
    'Create an app-level token with the scope connections:write under “Basic Information” and put it into SLACK_APP_TOKEN.',

  // the app's settings, and its connection
  pasteManifestRemedy: 'Open {appPage}, your app, “App Manifest”, and paste manifests/slack.yaml.',
  reinstallRemedy: 'Save, and then “Install App”, “Reinstall to Workspace”.',
  turnEventsOnRemedy:
    'Open {appPage}, your app, “Event Subscriptions”: it has to be on, with the bot events of manifests/slack.yaml.',
  requestsReceived: 'Slack’s requests are received on {address}; whether they arrive can’t be checked from here.',
  copyBotTokenRemedy: 'Copy the “Bot User OAuth Token” (xoxb-…) from {appPage}, your app, “OAuth & Permissions”.',
  otherKind: '{name} holds a token of another kind.',
  botTokenRefused: 'Slack doesn’t accept the bot token: {why}',
  connectionRefreshed: 'Slack asked for a new connection',
  socketModeTurnedOff: 'Socket Mode is switched off for the app: switch it on in its settings',
  connectionLimitHit: 'Slack has too many connections of this app already (10 at most): stop other copies of the bot',
  connectionLost: 'the connection was lost',
  connectionSilent: 'Slack was silent for too long',
  connectionDeaf: 'the connection is open, but no messages come through',

  // agent
  abilitiesTitle: 'What can you do?',
  abilitiesPrompt: 'What can you do for me? Give me three examples.',
  summaryTitle: 'Summarise a file',
  summaryPrompt: 'I’m going to upload a file. Summarise it in five points.',
  planTitle: 'Make a plan',
  planPrompt: 'Help me plan something: ask me what you need to know first.',
  reminderTitle: 'Remind me',
  reminderPrompt: 'Remind me tomorrow at 9:00 to',

  // forms and answers
  goodLabel: 'This answer is good',
  badLabel: 'This answer is bad',
  textMissing: 'Write something.',
  somethingElse: 'Something else',
  elseWrittenBelow: 'Something else (write it below)',

  // why Slack refuses something, within a sentence, and what helps
  reinstallAppRemedy: 'Reinstall the app under “OAuth & Permissions”',
  replaceBotTokenRemedy:
    'Copy the bot token (xoxb-…) from “OAuth & Permissions” into SLACK_BOT_TOKEN and restart Bobbin',
  channelNotJoinedSaid: 'I’m not in the channel',
  inviteRemedy: 'Invite me with /invite',
  channelArchived: 'the channel is archived',
  unarchiveRemedy: 'Unarchive it',
  askAdminRemedy: 'Ask an admin of the workspace to allow the app to post there',
  appUninstalled: 'the app was removed from the workspace',
  botTokenUnknown: 'Slack doesn’t recognise the bot token',
  otherKindOfToken: 'SLACK_BOT_TOKEN holds a token of another kind',
  tokenMissing: 'no bot token was sent',
  workspaceMigrating: 'the workspace is moving to another plan',
  workspaceMigratingRemedy: 'Try again later',
  noAccessToWorkspace: 'the app was not given access to this workspace',
  addToWorkspaceRemedy: 'Ask an admin of the organisation to add the app to this workspace',
  workspaceDisabled: 'the workspace is disabled',
  workspaceDisabledRemedy: 'Ask an owner of the workspace',
  tokenExpired: 'the bot token has expired',
  tokenRevoked: 'the bot token was revoked',
  postingForbidden: 'the workspace does not let the app post there',
  noSuchChannel: 'the channel is gone, or the bot is not in it',
  postingSuspended: 'an admin has suspended posting in the workspace',
  uploadsDisabled: 'file uploads are switched off in the workspace',
  imagesOnly: 'the workspace accepts no files except images',
  messagesTabOff: 'the app doesn’t accept direct messages',
  messagesTabOffRemedy: 'Switch the Messages tab on under “App Home”',
  channelNotJoined: 'the bot is not in the channel',
  postingRestricted: 'the workspace lets only some people post there',
  threadsForbidden: 'the channel doesn’t allow threads',
  readOnly: 'the channel is read-only',
  threadLocked: 'the thread is locked',
  unlockRemedy: 'Unlock it',
  threadsOnly: 'the channel allows only threads',
  storageFull: 'the workspace has no room for files left',
  storageFullRemedy: 'Delete old files or upgrade',
  replyImpossible: 'that message can’t be replied to',
  notOurMessage: 'the message is not the bot’s own',
  recipientIsABot: 'bots can’t receive direct messages',
  editWindowClosed: 'the message is too old to be edited',
  fileOverLimit: 'the file is too large for the workspace',
  threadDeleted: 'the thread was deleted',
  messageDeleted: 'the message was deleted',
  textTooLong: 'the message is too long',
  notEncoded: 'the message contains half a character',
  accountDeactivated: 'the person’s account is deactivated',
  personLeft: 'the person is not in the workspace',

  // The file with which it checks that events arrive.
  echoFile: 'Bobbin checks that Slack still delivers events. This file is deleted at once.',

  // Files that people sent.
  notFetched: '{name} couldn’t be fetched from Slack: {why}',
  nothingCame: 'nothing came',
  fileGone: 'it no longer exists',
  moreBytes: 'it has more than its {bytes} bytes',
  fewerBytes: 'only {seen} of {bytes} bytes arrived',
  brokeOff: 'the connection broke off',
  isElsewhere: 'it is on {host}, not on Slack',
})
