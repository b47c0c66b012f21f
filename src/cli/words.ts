import { catalogue } from '../kit/words/catalogue.ts'

/** What the command line says. */
export const cliWords = catalogue({
  // archive command
  unknownOption: 'Unknown option {file}.',
  theWasStopped: 'The {what} was stopped.',

  // audit
  verifyOrExport: 'Verify or export?',
  auditLogIntactEntries:
    'The audit log is intact: {entries, plural, one {# entry} other {# entries}}.\nHead: {entries}:{head}\nKeep the head somewhere else: --head also detects a log that was cut off at its end.',
  auditLogBrokenEntry:
    'The audit log is broken at entry {seq}. {why}\nEverything before it is intact. Compare it with a backup of the data directory.',
  isntHeadWhichNumber: 'That isn’t a head, which is a number, a colon and 64 hex digits.',
  noFormat: 'There is no format {format}.',
  noKind: 'There is no kind {kind}. There are: {kinds}.',
  noDatabaseNoAudit: 'There is no database at {file}, so there is no audit log.',
  setBobbinDataDir: 'Set BOBBIN_DATA_DIR to the data directory of the bot.',

  // backup
  nothingWritten: 'Nothing was written.',
  backedUpEveryFile: 'Backed up to {file}: {files}, {bytes}. Every file was read again and compared.',
  containsEverythingPeopleSaid:
    'It contains everything people said, and {secrets}: keep it where nobody else can read it.',
  noEnvNoTokens: 'There is no .env, so it has no tokens from the environment: keep those yourself.',

  // command
  noThreadsYet: 'There are no threads yet.',
  writeMessageHelpLists: 'Write a message; /help lists what else you can do.',
  goBobbinChat: 'To go on: bobbin chat {thread}',
  bobbinUrl: 'BOBBIN_URL is {given}.',
  looksLikeHttpsBobbin: 'It looks like https://bobbin.example:3000.',
  noThreadYet: 'There is no thread yet.',
  startOneBobbinChat: 'Start one with `bobbin chat`.',

  // conversation
  connectionLostTryingAgain: '(The connection was lost. Trying again …)',
  yourMessageNotSent: '{reason}\nYour message was not sent. Press Enter to send it again.',
  lineHeldBack:
    'What Bobbin asks changed while you were typing, so “{line}” wasn’t sent. Press Enter to send it anyway.',
  unsentLinesDropped: 'Discarded. (Ctrl-C again quits.)',
  nothingRunning: 'Nothing is running.',
  noFileHere: 'There is no file {path} here.',
  threadNoFiles: 'This thread has no files.',
  savedAs: 'Saved as {target}.',

  // screen
  modelStartsAnswerAgain: '(The model starts this answer again.)',

  // typed
  noChatCommand: 'There is no {command}. /help lists what there is.',

  // server
  startBobbinStartOr: 'Start it with `bobbin start`, or set BOBBIN_URL to where it is.',
  noBobbinAnswers: 'No Bobbin answers at {url} ({reason}).',
  bobbinNeedsToken: 'Bobbin at {url} needs a token.',
  setBobbinTokenOne: 'Set BOBBIN_TOKEN to one.',
  whatAnswersIsntBobbin: 'What answers at {url} isn’t Bobbin ({status}).',
  correctBobbinUrl: 'Correct BOBBIN_URL.',

  // shown
  decider: 'Can be approved by: {who}',
  deciders: 'Can be approved by: {who} ({count} of {needed} so far)',
  typeVerdict: 'Type y to approve, n to deny, or what to do instead.',
  typeVerdictOrAlways: 'Type y to approve, a to always allow exactly this here, n to deny, or what to do instead.',
  typeAnswer:
    '{options, select, some {{required, select, true {Type a number, or your answer.} other {Type a number, or your answer, or - for none.}}} other {{required, select, true {Type your answer.} other {Type your answer, or - for none.}}}}',
  votedFor: '{name} approved: {votes} of {needed}.',
  answeredBy: 'Answered by {name}: {answer}',
  answeredBySome: 'Answered by the {by}: {answer}',
  typeAnswersOrderBetween: 'Type the answers in this order, separated by semicolons (;).',
  threadDeleted: 'This thread was deleted.',

  // config
  configurationIsFine: 'The configuration is fine.',
  configurationPlaces: 'Files: {files}\nData: {data}\nModel: {model}\nImages: {images}',
  noImageModel: 'no model that sees them is configured',
  practiceModel: 'the practice model (no endpoint is configured)',
  modelWithPrice:
    '{id} ({context, number} tokens of context, {output, number} of output; {input} in and {out} out for a million)',
  modelWithoutPrice: '{id} ({context, number} tokens of context, {output, number} of output; price unknown)',
  noSubcommand: 'There is no "{command}".',
  approvalsTurnedOffBobbin: 'Approvals are turned off: Bobbin never asks (approvals: false in hitl_rules.yaml).',
  writtenTo: 'Written to {directory}',

  // env file
  envLineSetsNothing: 'Line {line} of .env sets nothing.',
  writeNameAndValue: 'Write NAME=value, or # before it.',
  envNameUnknown: '.env sets {name}, which nothing reads.',
  envNamesHome: 'BOBBIN_HOME has no effect in .env, because Bobbin looks for .env in that folder.',
  setHomeOutside: 'Set it in the environment of the process.',

  // doctor
  configurationFine: 'The configuration in {configDir} is fine.',
  twoSlackTokensSwapped: 'The two Slack tokens are swapped.',
  slackBotTokenOne: 'SLACK_BOT_TOKEN is the one with xoxb-, SLACK_APP_TOKEN with xapp-.',
  modelImages: 'Model for images',
  modelReasoning: 'Model for reasoning',
  modelCode: 'Model for code',
  modelLastWords: 'Model for final answers',
  modelEmbeddings: 'Model for embeddings',
  notConnectedSeeReadme: 'Not connected. See README.md.',
  looksLikePlaceholderShort:
    'The {name} looks like a placeholder: it’s short, or made of ordinary words. So it isn’t masked in texts.',
  thatsFineYourOwn: 'That’s fine for your own server if it accepts any key. Otherwise put the real one into .env.',

  // explain lines
  oneCallPerLine: 'Write one call per line: {example}.',
  lineNotJson: 'This line is not JSON ({reason}).',
  lineNotCall: 'This line is not a call.',

  // explain
  couldReach: 'It could reach: {hosts}',
  whatBobbinSeesDeclares: 'What Bobbin sees in it ({name} declares the effect {effect}):',
  matchedAgainstPatterns: 'Matched against patterns',
  filesRuns: 'Files that it runs',
  assumedUntrusted: 'Assumed about the thread: it has no grants; untrusted content is in it.',
  assumedTrusted:
    'Assumed about the thread: it has no grants; no untrusted content is in it (--untrusted assumes some).',
  assumedUploaded: 'Assumed: {file} was uploaded by a person.',
  assumedSandbox: 'Assumed: there is a sandbox. Without one, its effect is unclear.',
  inClosedSandbox:
    'It runs in the closed sandbox: it can write only to outputs/ and temp/, has no network, and has tighter limits.',
  filesRunsWerentRead: 'The files it runs weren’t read. An approval holds only for their content.',
  useLimited: 'Use is limited to: {limit}',

  // export
  theThreadIsIn: 'The thread is in {file}.',
  nameOneThreadId: 'Name one thread by its id.',
  noThread: 'There is no thread {id}.',
  nameAnotherFileOut: 'Name another file with --out.',

  // grants
  nothingAllowed: 'Nothing is always allowed.',
  whichOneShouldRevoked: 'Which one should be revoked?',
  noGrant: 'There is no grant {id}.',
  severalGrantsBegin: 'Several grants begin with {id}.',
  giveMoreId: 'Give more of the id.',

  // home
  makeReadableOrRemove: 'Make it readable, or remove it.',

  // main
  bobbinNode: 'Bobbin {version}, Node {node}',
  didYouMean: 'Did you mean {nearest}?',
  noCommand: 'There is no command {command}. {remedy}',
  stopBobbinRestoreBobbin:
    'Stop Bobbin and restore bobbin.db from a backup (together with bobbin.db-wal, if there is one).',
  bobbinsDatabaseDamaged: 'Bobbin’s database is damaged: {message}.',

  // migrate
  databaseUpDate: 'The database is up to date.',
  databaseUpDateNow: 'The database is up to date now: {missing}.',

  // move
  botCanStartHere: 'The bot can start here again. Never start the one on {other} as well, because both would answer.',
  giveEitherOrUndo: 'Give either --to or --undo.',
  moveStopped: 'The move was stopped.',
  nothingMoved: 'Nothing was moved.',
  movedFromRowsTables:
    'Moved from {here} to {there}: {sessions} and {messages}; {all} rows in {tables} tables, all counted there.',
  auditIntactAfterMove: 'The audit log is intact: {entries, plural, one {# entry} other {# entries}}.',
  auditLogBrokenBefore: 'The audit log was broken before, and still is, at entry {seq}. {why}',
  whatEarlierMoveHad: 'What an earlier move had left at {there} is now {putAway}.',
  filesStayDocumentIndex: 'Files stay in {dataDir}. The document index is rebuilt when it’s needed.',

  // nodes
  noBotRunsDatabase: 'No bot runs on this database.',
  withoutDatabaseUrlOnly: 'Without DATABASE_URL there is only one Bobbin, so no other could take over its work.',
  stopInsteadWhenStarts: 'Stop it instead: when it starts again, it continues where it left off.',
  whichOneShouldDrained: 'Which one should be drained?',
  noBotCalledRuns: 'No bot called {name} runs on this database.',
  startAnotherOneFirst: 'Start another one first, or stop this one.',

  // policy
  quoteForShell: 'Quote them for your shell: {example}.',
  noFeedback: 'Nobody has given feedback yet.',
  noBadFeedback: 'Nobody has given bad feedback yet.',
  whatShouldIExplain: 'What should I explain?',
  stdinCallsReadFrom: 'With --stdin, calls are read from standard input, one per line.',
  giveNameToolArguments: 'Give the name of a tool and its arguments, quoted for your shell.',
  noTool: 'There is no tool {name}. There are: {names}.',
  setEnabledConfigTools: 'Set enabled in config/tools.yaml.',
  argumentsNotJson: 'The arguments are not JSON ({reason}).',
  argumentsDoNotFit: 'The arguments do not fit {name}: {issues}.',
  theyOneJsonObject: 'They are one JSON object, as the model would write it.',

  // prune
  noDatabase: 'There is no database at {place}.',
  setDataDirOfBot: 'Set BOBBIN_DATA_DIR to where the bot is.',
  wouldFreeAboutNothing: 'This would free about {total}. Nothing was deleted.',

  // require answer
  checkDiskOrNetwork: 'Check the disk or the network share that it is on, or set BOBBIN_DATA_DIR to another directory.',
  dataDirectoryDoesntAnswer: 'The data directory {directory} doesn’t answer. {remedy}',

  // restore
  nothingRestored: 'Nothing was restored.',
  restoredBackupUtc: 'Restored the backup of {made} UTC to {dataDir}.',
  databaseUpdatedVersion: 'Its database was updated to this version: {migrated}.',
  configurationCompareYoursCopy: 'Its configuration is in {settings}: compare it with yours, and copy what you need.',

  // sessions
  noSessionsYet: 'There are no sessions yet.',
  noSession: 'There is no session {id}.',

  // start
  stillStartingAnotherProcess: 'Still starting. Another process may be using {dataDir}, or the platforms are slow.',
  anotherBobbinTakenOver: 'Another Bobbin has taken over. This one is stopping.',
  bobbinReady: 'Bobbin is ready: {url}\n{where}',
  practiceModelAnsweringNeeds:
    'The practice model is answering; it needs no account. For a real one, set MODEL_BASE_API_KEY, MODEL_BASE_BASE_URL and MODEL_BASE_ID (see .env.example).',
  noSandboxRefused: 'There is no sandbox. Commands and scripts are refused. {reason} {remedy}',
  noSandboxOpen: 'There is no sandbox. Commands run without one. {reason} {remedy}',
  turnsWillFail: 'Turns will fail. {refused}',
  addressHoldsFirstToken:
    'This address holds the first token, which is shown only now. `bobbin token new` makes others.',
  consoleAsksTokenBobbin: 'The console asks for a token. `bobbin token new` makes one, if you have none.',

  // token
  noDatabaseYet: 'There is no database yet.',
  startBobbinOnceOr: 'Start Bobbin once, or run `bobbin migrate`.',
  noTokens: 'There are no tokens.',
  noToken: 'There is no token {id}.',
  shownOnlyNowBobbin: 'This is {id}. It’s shown only now: Bobbin keeps a hash of it.',
  newListOrRevoke: 'New, list or revoke?',
  tooMuch: 'Too many arguments.',

  // why
  noMessageIgnoredRecently: 'No message was ignored recently.',
  noReasonStored:
    'No reason is stored for message {message}: it was answered, it never arrived, or it is older than {days, plural, one {# day} other {# days}} (keep.ignored_days).',
})
