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
  discordKnowsTokenApplication: 'Discord knows the token: @{username}, application “{name}”.',
  botMayNotRead: 'The bot may not read messages: Discord would not let it connect.',
  botMayReadMessages: 'The bot may read messages (Message Content Intent).',
  clicksCommandsGoNot: 'Clicks and commands go to {interactions_endpoint_url}, not to the bot.',
  inviteLinkDoesNot: 'The invite link does not work: Discord asks for a code that nothing handles.',

  // findings
  discordDoesNotKnow: 'Discord does not know the token (DISCORD_TOKEN).',
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
  discordsFileServer: "Discord's file server {why}",
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
})
