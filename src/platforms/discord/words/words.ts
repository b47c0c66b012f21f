import { catalogue } from '../../../kit/words/catalogue.ts'

/** What only Discord’s people read, and what the doctor says about Discord. */
export const discordWords = catalogue({
  // errors
  discordCantReached: 'Discord can’t be reached',

  // refusals
  discordRefused: 'Discord refused it: {said}',

  // refused requests
  discordRefusesManyRequests: 'Discord refuses many requests',

  // approval
  denySayWhy: 'Deny and say why…',

  // facts
  withoutAnswer: 'Without an answer, {request} {deadlineAt}.',

  // question
  chooseOneOrMore: 'Choose one or more',
  orWriteYourAnswer: 'Or write your answer here.',
  withoutOne: '{here} Without one, {request} {deadlineAt}.',

  // permissions
  iLack: 'I lack {lacked}',
  giveMyRole: 'Give it to my role',

  // discord
  discordNotConnectedYet: 'Discord is not connected yet',

  // commands
  commandsRegistered: 'The commands {there} are registered.',
  notRegisteredYet: 'Not registered yet: {missing}.',
  registeredByOlderVersion: 'Registered by an older version, and different since: {old}.',
  botRegistersCommandsWhen: 'The bot registers its commands when it starts.',

  // command list
  askMeSomething: 'Ask me something; I answer in our direct messages',
  whatYouWantToKnow: 'What you want to know, or have done',

  // in direct
  worksOnlyWhereIAm: 'That works only in servers that I’m in, and in our direct messages.',
  noDirectMessages: 'I can’t open direct messages with you. Open my profile, choose “Message”, and write to me there.',
  inOurDirectMessages: 'In our direct messages ({link}):',
  iAnswerInDirect: 'I’ll answer in our direct messages: {link}',
  mayNotUseMe: 'You’re not allowed to use me in direct messages.',

  // doctor
  peopleMayAdd: 'People may add the bot to their own account, and ask it with /ask anywhere.',
  sayWhoMay: 'List who may use it under “access” in config/bobbin.yaml, or switch off “Public Bot” at {page}/bot.',
  anybodyMayAdd: 'Anybody on Discord may add the bot to their own account, and it answers everybody.',
  discordKnowsTokenApplication: 'Discord accepts the token: @{username}, application “{name}”.',
  botMayNotRead: 'The bot may not read messages: Discord would not let it connect.',
  botMayReadMessages: 'The bot may read messages (Message Content Intent).',
  clicksCommandsGoNot: 'Clicks and commands go to {interactions_endpoint_url}, not to the bot.',
  inviteLinkDoesNot: 'The invite link does not work: Discord asks for a code that nothing handles.',

  // findings
  discordDoesNotKnow: 'Discord doesn’t recognise the token (DISCORD_TOKEN).',
  copyFromYourApplication:
    'Copy it from {portal}, your application, “Bot”, “Reset Token”: the token, not the client secret.',
  discordRateLimitingUs: 'Discord is rate-limiting us.',
  tryAgainMinute: 'Try again in a minute.',
  discordRefused2: 'Discord refused {method} {url}: {message} ({code}).',
  discordCantReached2: 'Discord can’t be reached: {thrown}.',
  checkNetworkProxyDiscord: 'Check the network, the proxy, and DISCORD_API_URL if you set it.',

  // gateway
  botMayConnectMore: 'The bot may connect {remaining} more times of {total} within {reset_after}.',
  stopWhateverKeepsConnecting: 'Stop whatever keeps connecting with this token, and wait that long.',
  checkWhetherSomethingKeeps: 'Check whether something keeps connecting with this token.',

  // guilds
  botNoServer: 'The bot is in no server.',
  moreServers: 'It is in {count, plural, one {# more server} other {# more servers}}.',
  serverBotLacks: 'In the server {name} the bot lacks: {lacking}.',
  giveRoleThesePermissions: 'Give its role these permissions, or add it again: {application}',
  serverBotPermissionsNeeds: 'In the server {name} the bot has the permissions it needs.',
  serverBotLacksPermissions: 'In the server {name} the bot lacks permissions in {named}{more}.',
  giveThemRoleSettings:
    'Give them to its role in the settings of the channel or its category, or leave it as it is: it answers elsewhere.',

  // probe
  testDoctorDeletedRight: 'A test by `doctor`, deleted right away.',
  noMessageCanPosted: 'No message can be posted in {channel}: {reason}.',
  messagePostedDeleted: 'A message was posted in {channel} and deleted.',
  testMessageCouldNot: 'The test message in {channel} couldn’t be deleted: {reason}.',
  deleteHand: 'Delete it by hand.',

  // download
  discordsFileServer: 'Discord’s file server {why}',
  sendFileAgain: 'Send the file again.',

  // answers form
  orYourOwnWords: '{place}. Or in your own words',

  // forms
  yourOwnWords: 'In your own words',
  askAboutMessage: 'Ask about this message',
  whatDoYouWant: 'What do you want to know?',

  // interactions
  buttonNoLongerWorks: 'This button no longer works.',

  // submissions
  iAnswerHere: 'I answer here: {thread}',

  // identify budget
  discordDidntSayHow: 'Discord didn’t say how many sessions are left',

  // login failures
  copyTokenAgainFrom: 'Copy the token again from "Bot" of your application at {portal} into DISCORD_TOKEN.',
  discordDoesntAcceptToken: 'Discord doesn’t accept the token',
  discordDoesNotLet: 'Discord does not let the bot read messages',
  discordDoesntAcceptHow: 'Discord doesn’t accept how the bot connects',

  discordNoLongerAcceptsToken: 'Discord no longer accepts the token',
  didNotWork: 'That didn’t work. Try again.',
  answerMissing: 'A required answer is missing. Nothing was sent.',
  wholeAnswerAttached: 'The whole answer is attached.',

  // why Discord refuses something, within a sentence, and what helps
  giveBotsRolePermissionsChannel: 'Give the bot’s role the permissions that the channel needs',
  unlockReopenThread: 'Unlock or reopen the thread',
  copyTokenAgainFromBot:
    'Copy the token again from “Bot” in the developer portal into DISCORD_TOKEN and restart Bobbin',
  botMayNotReadMessage: 'the bot may not read the message history',
  botMayNotSeeChannel: 'the bot may not see the channel',
  botLacksPermissionChannel: 'the bot lacks a permission in this channel',
  botNoLongerServer: 'the bot is no longer in this server',
  addServerAgain: 'Add it to the server again',
  threadArchived: 'the thread is archived',
  threadLocked: 'the thread is locked',
  serverManyThreadsDiscordAllows: 'the server has as many threads as Discord allows',
  closeSomeThreads: 'Close some of its threads',
  personDoesntAcceptMessagesFrom: 'the person doesn’t accept messages from the bot',
  allowDirectMessagesFromMembers: 'Allow direct messages from members of the server',
  discordSwitchedOffNow: 'Discord has switched this off for now',
  messageEditedTooOften: 'the message is edited too often',
  discordOverloaded: 'Discord is overloaded',
  threadChannelGone: 'the thread or channel is gone',
  messageGone: 'the message is gone',
  personGone: 'the person is gone',
  discordDoesntAcceptFilesLarge: 'Discord doesn’t accept files that large',
  serversAutomodBlockedMessage: 'the server’s AutoMod blocked the message',

  // what Discord shows of the commands
  threadsStatusWhatYouCan: 'This thread’s status, and what you can do',
  mineOnlyThoseYouStarted: '“mine”: only those that you started',
  idThreadDefaultOne: 'The id of a thread; by default this one',
  yesOnceHaveAsked: '“yes”, once I have asked',
  modelUseSuchBaseReasoning: 'The model to use, such as base or reasoning',
  modelUseSuchReasoningAuto: 'The model to use, such as reasoning, or auto',
  minutesEveryWeekdayAtCancel: '“in 10 minutes: …”, “every weekday at 9: …”, or “cancel” and an id',
  grantsShows: 'As “grants” shows it',
  offEnds: '“off” ends it',
  autoCompactSummarize: '“auto”, “compact” or “summarize”',
  skillSuchPdfOffBack: 'A skill, such as “pdf”; or “on”, “off”, “back” or “remove” and its name',
  offGetsBotItselfBack: '“off” gets the bot itself back',
  serverPromptsTestStartStop: 'A server; or “prompts”, “test”, “start”, “stop”, “login” or “logout” and its name',
  linkMessageDefaultLatest: 'A link to the message; by default the latest',
  whatCanDo: 'What I can do',
  threadsStatusMessagesContextCost: 'This thread’s status: messages, context, cost, files, what’s waiting',
  latestThreadsChannel: 'The latest threads of this channel',
  continueWhatInterrupted: 'Continue what was interrupted',
  forgetWhatSaidThreadFiles: 'Forget what was said in this thread; its files stay',
  deleteEverythingKnowAboutThread: 'Delete everything I know about this thread, and its files; I ask first',
  showChangeModelAnswersThread: 'Show or change the model that answers in this thread',
  letAnotherModelAnswerThread: 'Let another model answer in this thread only',
  whatThreadChannelHaveCost: 'What this thread and this channel have cost',
  setAlarmWakesMeThread: 'Set an alarm that wakes me in this thread',
  listAlarmsThread: 'List the alarms of this thread',
  stopWhatImDoingThread: 'Stop what I’m doing in this thread',
  answerLastMessageAgain: 'Answer the last message again',
  filesThread: 'The files of this thread',
  removeFilesChannelsThreadsNobody: 'Remove the files of this channel’s threads that nobody has used for a long time',
  whatMayDoThreadWithout: 'What I may do in this thread without being asked',
  revokeGrant: 'Revoke a grant',
  planModeOnlyLookPlan: 'Plan mode: I only look and plan until somebody agrees',
  whatCanUseWhatYou: 'What I can use, and what you can load with @',
  howMuchThreadModelSent: 'How much of this thread the model is sent, in tokens',
  summariseThreadsOlderMessagesModel: 'Summarise this thread’s older messages for the model; the history stays',
  skillsChannelSwitchOneOff: 'The skills of this channel; switch one on or off, or go back to the version before',
  agentsWhichOneThread: 'The agents, and which one has this thread',
  mcpServersTestStartStop: 'The MCP servers; test, start or stop one, or log in',
  whyDidntAnswerMessage: 'Why I didn’t answer a message',
  askBotAboutMessage: 'Ask bot about this message',

  // Files that people sent.
  noLongerThere: '{name} is no longer on Discord',
  notFetched: '{name} couldn’t be fetched: {why}',
  webPageInstead: 'a web page came instead',
  largerThanSaid: 'it is larger than Discord said',
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
