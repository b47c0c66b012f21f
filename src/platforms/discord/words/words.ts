import { catalogue } from '../../../kit/words/catalogue.ts'

/** What only Discord’s people read, and what the doctor says about Discord. */
export const discordWords = catalogue({
  // errors
  discordUnreachable: 'Discord can’t be reached',

  // refusals
  refusedSaid: 'Discord refused it: {said}',

  // refused requests
  manyRequestsRefused: 'Discord refuses many requests',

  // approval
  denyWithReason: 'Deny and say why…',

  // facts
  withoutAnswer: 'Without an answer, {request} {deadlineAt}.',

  // question
  chooseSeveral: 'Choose one or more',
  writeHere: 'Or write your answer here.',
  withoutOne: '{here} Without one, {request} {deadlineAt}.',

  // permissions
  iLack: 'I lack {lacked}',
  lackedPermissionRemedy: 'Give it to my role',

  // discord
  stillConnecting: 'Discord is not connected yet',

  // commands
  commandsRegistered: 'The commands {there} are registered.',
  commandsMissing: 'Not registered yet: {missing}.',
  commandsDiffer: 'Registered by another version, and different from this one’s: {different}.',
  registeredAtStartRemedy: 'The bot registers its commands when it starts.',

  // command list
  askDescription: 'Ask me something; I answer in our direct messages',
  askQuestionOption: 'What you want to know, or have done',

  // in direct
  worksOnlyWhereIAm: 'That works only in servers that I’m in, and in our direct messages.',
  noDirectMessages: 'I can’t open direct messages with you. Open my profile, choose “Message”, and write to me there.',
  answeredInDirect: 'In our direct messages ({link}):',
  iAnswerInDirect: 'I’ll answer in our direct messages: {link}',
  mayNotUseMe: 'You’re not allowed to use me in direct messages.',

  // doctor
  accountInstallOn: 'People may add the bot to their own account, and ask it with /ask anywhere.',
  accountInstallRemedy:
    'List who may use it under “access” in config/bobbin.yaml, or switch off “Public Bot” at {page}/bot.',
  accountInstallForAnybody: 'Anybody on Discord may add the bot to their own account, and it answers everybody.',
  tokenAccepted: 'Discord accepts the token: @{username}, application “{name}”.',
  contentIntentOff: 'The bot may not read messages: Discord would not let it connect.',
  contentIntentOn: 'The bot may read messages (Message Content Intent).',
  interactionsElsewhere: 'Clicks and commands go to {interactions_endpoint_url}, not to the bot.',
  codeGrantRequired: 'The invite link does not work: Discord asks for a code that nothing handles.',

  // findings
  tokenUnknown: 'Discord doesn’t recognise the token (DISCORD_TOKEN).',
  copyTokenRemedy: 'Copy it from {portal}, your application, “Bot”, “Reset Token”: the token, not the client secret.',
  rateLimited: 'Discord is rate-limiting us.',
  rateLimitedRemedy: 'Try again in a minute.',
  requestRefused: 'Discord refused {method} {url}: {message} ({code}).',
  discordUnreachableBecause: 'Discord can’t be reached: {thrown}.',
  unreachableRemedy: 'Check the network (I connect directly, not through a proxy), and DISCORD_API_URL if you set it.',

  // gateway
  alreadyConnected: 'The bot is running and connected to Discord.',
  sessionsLeft: 'The bot may connect {remaining} more times of {total} within {reset_after}.',
  noSessionsLeftRemedy: 'Stop whatever keeps connecting with this token, and wait that long.',
  fewSessionsLeftRemedy: 'Check whether something keeps connecting with this token.',

  // guilds
  joinedNowhere: 'The bot is in no server.',
  serversNotShown: 'It is in {count, plural, one {# more server} other {# more servers}}.',
  permissionsMissing: 'In the server {name} the bot lacks: {lacking}.',
  permissionsMissingRemedy: 'Give its role these permissions, or add it again: {application}',
  permissionsComplete: 'In the server {name} the bot has the permissions it needs.',
  channelPermissionsMissing: 'In the server {name} the bot lacks permissions in {named}{more}.',
  channelPermissionsRemedy:
    'Give them to its role in the settings of the channel or its category, or leave it as it is: it answers elsewhere.',

  // probe
  probeText: 'A test by `doctor`, deleted right away.',
  probeNotPosted: 'No message can be posted in {channel}: {reason}.',
  probePosted: 'A message was posted in {channel} and deleted.',
  probeNotDeleted: 'The test message in {channel} couldn’t be deleted: {reason}.',
  probeNotDeletedRemedy: 'Delete it by hand.',

  // download
  fileServerTrouble: 'Discord’s file server {why}',
  sendAgainRemedy: 'Send the file again.',

  // answers form
  ownWordsOfPart: '{place}. Or in your own words',

  // forms
  ownWords: 'In your own words',
  askFormTitle: 'Ask about this message',
  askFormQuestion: 'What do you want to know?',

  // interactions
  unknownButton: 'This button no longer works.',

  // submissions
  mayNotUseMeHere: 'You’re not allowed to use me here.',
  answeredThere: 'I answer here: {thread}',

  // identify budget
  sessionLimitUnknown: 'Discord didn’t say how many sessions are left',

  // login failures
  loginTokenRemedy: 'Copy the token again from "Bot" of your application at {portal} into DISCORD_TOKEN.',
  tokenRefused: 'Discord doesn’t accept the token',
  readingForbidden: 'Discord does not let the bot read messages',
  connectionOutdated: 'Discord doesn’t accept how the bot connects',

  tokenRevoked: 'Discord no longer accepts the token',
  answerMissing: 'A required answer is missing. Nothing was sent.',
  answerAttached: 'The whole answer is attached.',

  // why Discord refuses something, within a sentence, and what helps
  permitRemedy: 'Give the bot’s role the permissions that the channel needs',
  unlockRemedy: 'Unlock or reopen the thread',
  tokenRefusedRemedy: 'Copy the token again from “Bot” in the developer portal into DISCORD_TOKEN and restart Bobbin',
  historyForbidden: 'the bot may not read the message history',
  channelHidden: 'the bot may not see the channel',
  permissionMissing: 'the bot lacks a permission in this channel',
  serverLeft: 'the bot is no longer in this server',
  serverLeftRemedy: 'Add it to the server again',
  threadArchived: 'the thread is archived',
  threadLocked: 'the thread is locked',
  threadLimitReached: 'the server has as many threads as Discord allows',
  threadLimitRemedy: 'Close some of its threads',
  directMessagesClosed: 'the person doesn’t accept messages from the bot',
  directMessagesClosedRemedy: 'Allow direct messages from members of the server',
  switchedOff: 'Discord has switched this off for now',
  editLimitReached: 'the message is edited too often',
  discordOverloaded: 'Discord is overloaded',
  placeGone: 'the thread or channel is gone',
  messageGone: 'the message is gone',
  personGone: 'the person is gone',
  uploadTooSlow: 'the upload took too long',
  uploadBroke: 'the connection broke during the upload',
  fileTooLarge: 'Discord doesn’t accept files that large',
  blockedByAutoMod: 'the server’s AutoMod blocked the message',

  // what Discord shows of the commands
  bobbinDescription: 'This thread’s status, and what you can do',
  listMineOption: '“mine”: only those that you started',
  resumeIdOption: 'The id of a thread; by default this one',
  deleteYesOption: '“yes”, once I have asked',
  modelSlotOption: 'The model to use, such as base or reasoning',
  useSlotOption: 'The model to use, such as reasoning, or auto',
  alarmWhenOption: '“in 10 minutes: …”, “every weekday at 9: …”, or “cancel” and an id',
  revokeIdOption: 'As “grants” shows it',
  planOffOption: '“off” ends it',
  compactHowOption: '“auto”, “compact” or “summarize”',
  skillsNameOption: 'A skill, such as “pdf”; or “on”, “off”, “back” or “remove” and its name',
  agentsOffOption: '“off” gets the bot itself back',
  mcpServerOption: 'A server; or “prompts”, “test”, “start”, “stop”, “login” or “logout” and its name',
  whyLinkOption: 'A link to the message; by default the latest',
  helpDescription: 'What I can do',
  statusDescription: 'This thread’s status: messages, context, cost, files, what’s waiting',
  listDescription: 'The latest threads of this channel',
  resumeDescription: 'Continue what was interrupted',
  resetDescription: 'Forget what was said in this thread and unload its skills; its files stay',
  deleteDescription: 'Delete everything I know about this thread, and its files; I ask first',
  modelDescription: 'Show or change the model that answers here and in your next threads',
  useDescription: 'Let another model answer in this thread only',
  costDescription: 'What this thread and this channel have cost',
  alarmDescription: 'Set an alarm that wakes me in this thread',
  alarmsDescription: 'List the alarms of this thread',
  stopDescription: 'Stop what I’m doing in this thread',
  retryDescription: 'Answer the last message again',
  filesDescription: 'The files of this thread',
  cleanDescription: 'Remove the files of this channel’s threads that nobody has used for a long time',
  grantsDescription: 'What I may do in this thread without being asked',
  revokeDescription: 'Revoke a grant',
  planDescription: 'Plan mode: I only look and plan until somebody agrees',
  toolsDescription: 'What I can use, and what you can load with @',
  contextDescription: 'How much of this thread the model is sent, in tokens',
  compactDescription: 'Summarise this thread’s older messages for the model; the history stays',
  skillsDescription: 'The skills of this channel; switch one on or off, or go back to the version before',
  agentsDescription: 'The agents, and which one has this thread',
  mcpDescription: 'The MCP servers; test, start or stop one, or log in',
  whyDescription: 'Why I didn’t answer a message',
  askMessageCommand: 'Ask bot about this message',

  // Files that people sent.
  noLongerThere: '{name} is no longer on Discord',
  notFetched: '{name} couldn’t be fetched: {why}',
  htmlCame: 'a web page came instead',
  moreBytes: 'it is larger than Discord said',
  cannotBeReached: 'can’t be reached',
  fewerBytes: 'sent only {seen} of {bytes} bytes',
  brokeOff: 'broke off in the middle',
  answersStatus: 'answers {status}',

  // The connection.
  notStarted: 'not started',
  stopped: 'stopped',
  connecting: 'connecting',
  connected: 'connected',
  noneConnected: 'none of the processes is connected',
  nodeConnected: '{node} is connected',
  waitsSeconds: 'waits {seconds} s before it connects again: too many connections did not last',
  silentSeconds: 'the connection has been silent for {seconds} s',
  threadNotMade: 'the thread couldn’t be made',
})
