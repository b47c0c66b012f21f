import { catalogue } from '../../../kit/words/catalogue.ts'

/** What only Slack’s people read, and what the doctor says about Slack. */
export const slackWords = catalogue({
  // errors
  addUnderOauthPermissions: 'Add it under “OAuth & Permissions” and reinstall the app',
  slackDoesntAcceptApp: 'Slack doesn’t accept the app token ({code}): {remedy}',

  // identity
  slackCantReached: 'Slack can’t be reached: {thrown}',
  checkNetwork: 'Check the network.',

  // refusals
  slackSays: 'Slack says {code}',

  // token standing
  slackAcceptsBotToken: 'Slack accepts the bot token again',
  slackRefusesBotToken: 'Slack refuses the bot token',

  // approval
  denySayWhy: 'Deny and say why…',

  // feedback form
  whatWrong: 'What was wrong?',
  whatWouldHaveBeen: 'What would have been a better answer?',
  thoseWhoRunBot: 'The people who run the bot can read this.',

  // outcome
  nobodyDecidedYet: 'Nobody has decided yet.',

  // groups
  slackKnowsNoSuch: 'Slack doesn’t know this user group, so it has no members',
  slackDoesNotSay: 'Slack does not say who is in {group}: {reason}',
  tryAgain: 'Try again.',

  // doctor
  slackKnowsBotToken: 'Slack accepts the bot token: @{user} in {team} ({url}).',
  botRunningConnectedSlack: 'The bot is running and connected to Slack, so no second connection is tried.',
  slackDidNotSay: 'Slack did not say which scopes the app has.',
  appLacksScopes: 'The app lacks the scopes {missing}.',
  appAllScopesNeeds: 'The app has all {count, number} scopes that it needs.',
  removeThemUnderOauth: 'Remove them under “OAuth & Permissions”, unless something else uses the app.',
  appScopesBotDoes: 'The app has scopes that the bot does not need: {spare}.',
  theBotIsIn: 'The bot is in {named}{more}.',
  botNoChannelYet: 'The bot is in no channel yet.',
  channelsBotCannotListed: 'The channels that the bot is in cannot be listed: {thrown}.',

  // events
  slackAcceptsAppToken: 'Slack accepts the app token, but doesn’t answer on the WebSocket within {seconds} s.',
  proxyOrFirewallMay: 'A proxy or firewall may be in the way: WebSockets to {host} have to be let through.',
  socketModeWorksSlack: 'Socket Mode works: Slack answered.',
  twoTokensBelongDifferent: 'The two tokens belong to different apps: the bot token to {bot}, the app token to {app}.',
  copyBothFromSame: 'Copy both from the same app at {appPage}.',
  anotherProcessConnectedApp:
    'Another process is connected with this app token; Slack gives each event to only one of them.',
  stopOrGiveEach: 'Stop it, or give each an app of its own.',
  testDoctorDeletedRight: 'A test by `doctor`, deleted right away.',
  noMessageCanPosted: 'No message can be posted in {channel}: {thrown}.',
  messagePostedDeleted: 'A message was posted in {channel} and deleted.',
  testMessageCouldNot: 'The test message in {channel} couldn’t be deleted: {thrown}.',
  deleteHand: 'Delete it by hand.',
  cameBackAsEvent: 'It came back as an event: messages of such channels reach the bot.',
  didNotComeBack: 'It did not come back as an event.',

  // findings
  whetherSlackSendsEvents: 'Whether Slack sends the events can’t be checked from here.',
  orRunDoctorProbe:
    'Or run doctor with --probe and the id of a channel that the bot is in: it posts a message there and deletes it.',
  slackNeedsPublicHttps:
    'Slack needs a public https address that leads there, with /slack/events after it, as the request URL of “Event Subscriptions”, “Interactivity & Shortcuts” and the slash command.',
  withoutPublicAddressUse: 'Without a public address, use Socket Mode: set SLACK_APP_TOKEN.',
  socketModeSwitchedOff: 'Socket Mode is switched off in the app.',
  switchYourAppSocket: 'Switch it on at {appPage}, your app, “Socket Mode”.',
  appAsManyConnections: 'The app has as many connections as Slack allows.',
  stopOtherProcessesUse: 'Stop the other processes that use its app token.',
  slackEndedConnectionOnce: 'Slack ended the connection at once ({reason}).',
  tryAgainMinute: 'Try again in a minute.',
  makeAppLevelToken:
    'Make an app-level token (xapp-…) with the scope connections:write at {appPage}, your app, “Basic Information”.',
  slackCantReached2: 'Slack can’t be reached: {thrown}.',
  checkNetworkProxySlack: 'Check the network, the proxy, and SLACK_API_URL if you set it.',
  appTokenLacksScope: 'The app token lacks the scope connections:write.',
  slackDoesNotKnow: 'Slack doesn’t recognise the app token (SLACK_APP_TOKEN).',
  slackDoesntAccept: 'Slack doesn’t accept {name} ({code}).',
  slackDoesntAccept2: 'Slack doesn’t accept {name}: {why}.',
  slackDoesntAccept3: 'Slack doesn’t accept {name}: {thrown}.',

  // download
  slackSentWebPage: 'Slack sent a web page instead',
  appLacksScopeFiles:
    'The app lacks the scope files:read, or this is a canvas, not a file: add the scope under “OAuth & Permissions” and reinstall the app, or upload a file.',
  uploadAgain: 'Upload it again.',
  uploadAgainOrShare: 'Upload it again, or share it with this workspace.',
  slackDoesntSayWhere: 'Slack doesn’t say where it is',
  uploadFileItself: 'Upload the file itself.',
  tryAgainLater: 'Try again later.',
  slackAnswered: 'Slack answered with {status}',

  // upload
  fileIsEmpty: 'the file is empty, and Slack doesn’t accept that',
  slackRefusedUpload: 'Slack refused the upload ({status})',

  // clicks
  chooseSomethingFirst: 'Choose something first.',
  formNotOpened: 'The form couldn’t be opened: click again, or write the answer here.',
  formTooLate: 'That took too long. The form couldn’t be opened: click again, or write the answer here.',

  // fields
  pleaseChooseWhere: 'Choose where.',
  pleaseChooseHowLong: 'Choose for how long.',
  pleaseAnswer: 'Answer this.',
  chooseOptionOrSomething: 'Choose an option, or “Something else”: not both.',

  // submissions
  formExpiredOpenAgain: 'This form has expired. Open it again.',

  // not connected
  slackNotConnectedYet: 'Slack is not connected yet',

  // open intake
  slackNoWayReach: 'Slack has no way to reach the bot',
  setSlackAppToken:
    'Set SLACK_APP_TOKEN for Socket Mode, or SLACK_SIGNING_SECRET and the address where requests come in.',

  // pages
  wholeAnswerFileBelow: 'The whole answer is in the file below.',

  // message
  slackRejectedMessageEvery: 'Slack rejected the message in every form',

  // connection
  eventNotAcknowledgedWill: 'An event was not acknowledged and will come again: {reason}',
  slackRefusedConnection: 'Slack refused the connection: {end}',

  // echo
  subscribeAppEventFile: 'Subscribe the app to the event file_created, as in manifests/slack.yaml.',

  // http
  slacksRequestsCannotReceived: 'Slack’s requests cannot be received on {host}:{port}: {reason}',
  chooseAnotherPortOr: 'Choose another port, or stop what listens there.',

  // socket client
  messageSlacksCouldNot: 'A message of Slack’s couldn’t be read: {reason}',

  // stay connected
  slackBeenSilentS: 'Slack has been silent for {seconds} s',
  slackDoesntAcceptApp2: 'Slack doesn’t accept the app token.',
  createAppLevelToken:
    'Create an app-level token with the scope connections:write under “Basic Information” and put it into SLACK_APP_TOKEN.',

  // the app's settings, and its connection
  pasteManifest: 'Open {appPage}, your app, “App Manifest”, and paste manifests/slack.yaml.',
  saveAndReinstall: 'Save, and then “Install App”, “Reinstall to Workspace”.',
  turnEventsOn:
    'Open {appPage}, your app, “Event Subscriptions”: it has to be on, with the bot events of manifests/slack.yaml.',
  requestsReceived: 'Slack’s requests are received on {address}; whether they arrive can’t be checked from here.',
  copyBotToken: 'Copy the “Bot User OAuth Token” (xoxb-…) from {appPage}, your app, “OAuth & Permissions”.',
  otherKind: '{name} holds a token of another kind.',
  botTokenRefused: 'Slack doesn’t accept the bot token: {why}',
  askedForNewConnection: 'Slack asked for a new connection',
  socketModeIsOff: 'Socket Mode is switched off for the app: switch it on in its settings',
  tooManyConnections: 'Slack has too many connections of this app already (10 at most): stop other copies of the bot',
  connectionLost: 'the connection was lost',
  silentTooLong: 'Slack was silent for too long',
  noMessagesComeThrough: 'the connection is open, but no messages come through',

  // agent
  whatCanYouDo: 'What can you do?',
  whatCanYouDoForMe: 'What can you do for me? Give me three examples.',
  summariseFile: 'Summarise a file',
  summariseMyFile: 'I’m going to upload a file. Summarise it in five points.',
  makePlan: 'Make a plan',
  helpMePlan: 'Help me plan something: ask me what you need to know first.',
  remindMe: 'Remind me',
  remindMeTomorrow: 'Remind me tomorrow at 9:00 to',

  // forms and answers
  answerIsGood: 'This answer is good',
  answerIsBad: 'This answer is bad',
  writeSomething: 'Write something.',
  somethingElse: 'Something else',
  somethingElseBelow: 'Something else (write it below)',

  // why Slack refuses something, within a sentence, and what helps
  reinstallAppUnderOauthPermissions: 'Reinstall the app under “OAuth & Permissions”',
  copyBotTokenXoxbFrom:
    'Copy the bot token (xoxb-…) from “OAuth & Permissions” into SLACK_BOT_TOKEN and restart Bobbin',
  imNotChannel: 'I’m not in the channel',
  inviteMeInvite: 'Invite me with /invite',
  channelArchived: 'the channel is archived',
  unarchive: 'Unarchive it',
  askAdminWorkspaceAllowApp: 'Ask an admin of the workspace to allow the app to post there',
  appRemovedFromWorkspace: 'the app was removed from the workspace',
  slackDoesntRecogniseBotToken: 'Slack doesn’t recognise the bot token',
  slackBotTokenHoldsToken: 'SLACK_BOT_TOKEN holds a token of another kind',
  noBotTokenSent: 'no bot token was sent',
  workspaceMovingAnotherPlan: 'the workspace is moving to another plan',
  tryAgainLater2: 'Try again later',
  appNotGivenAccessWorkspace: 'the app was not given access to this workspace',
  askAdminOrganisationAddApp: 'Ask an admin of the organisation to add the app to this workspace',
  workspaceDisabled: 'the workspace is disabled',
  askOwnerWorkspace: 'Ask an owner of the workspace',
  botTokenExpired: 'the bot token has expired',
  botTokenRevoked: 'the bot token was revoked',
  workspaceDoesNotLetApp: 'the workspace does not let the app post there',
  channelGoneBotNot: 'the channel is gone, or the bot is not in it',
  adminSuspendedPostingWorkspace: 'an admin has suspended posting in the workspace',
  fileUploadsAreSwitchedOff: 'file uploads are switched off in the workspace',
  workspaceAcceptsNoFilesExcept: 'the workspace accepts no files except images',
  appDoesntAcceptDirectMessages: 'the app doesn’t accept direct messages',
  switchMessagesTabUnderApp: 'Switch the Messages tab on under “App Home”',
  botNotChannel: 'the bot is not in the channel',
  workspaceLetsOnlySomePeople: 'the workspace lets only some people post there',
  channelDoesntAllowThreads: 'the channel doesn’t allow threads',
  channelReadOnly: 'the channel is read-only',
  threadLocked: 'the thread is locked',
  unlock: 'Unlock it',
  channelAllowsOnlyThreads: 'the channel allows only threads',
  workspaceNoRoomFilesLeft: 'the workspace has no room for files left',
  deleteOldFilesUpgrade: 'Delete old files or upgrade',
  messageCantReplied: 'that message can’t be replied to',
  messageNotBotsOwn: 'the message is not the bot’s own',
  botsCantReceiveDirectMessages: 'bots can’t receive direct messages',
  messageTooOldEdited: 'the message is too old to be edited',
  fileTooLargeWorkspace: 'the file is too large for the workspace',
  threadDeleted: 'the thread was deleted',
  messageDeleted: 'the message was deleted',
  messageTooLong: 'the message is too long',
  personsAccountDeactivated: 'the person’s account is deactivated',
  personNotWorkspace: 'the person is not in the workspace',

  // The file with which it checks that events arrive.
  echoFile: 'Bobbin checks that Slack still delivers events. This file is deleted at once.',

  // Files that people sent.
  notFetched: '{name} couldn’t be fetched from Slack: {why}',
  nothingCame: 'nothing came',
  noLongerExists: 'it no longer exists',
  moreBytes: 'it has more than its {bytes} bytes',
  fewerBytes: 'only {seen} of {bytes} bytes arrived',
  brokeOff: 'the connection broke off',
  isElsewhere: 'it is on {host}, not on Slack',
})
