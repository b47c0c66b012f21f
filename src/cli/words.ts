import { catalogue } from '../kit/words/catalogue.ts'

/** What the command line says. */
export const cliWords = catalogue({
  // archive command
  unknownOption: 'Unknown option {file}.',
  notAnArchive: '{file} doesn’t end in .tar.gz.',
  archiveStopped: 'The {what} was stopped.',

  // audit
  auditActionMissing: 'Verify or export?',
  auditIntact:
    'The audit log is intact: {entries, plural, one {# entry} other {# entries}}.\nHead: {entries}:{head}\nKeep the head somewhere else: --head also detects a log that was cut off at its end.',
  auditBroken:
    'The audit log is broken at entry {seq}. {why}\nEverything before it is intact. Compare it with a backup of the data directory.',
  notAHead: 'That isn’t a head, which is a number, a colon and 64 hex digits.',
  noFormat: 'There is no format {format}.',
  noKind: 'There is no kind {kind}. There are: {kinds}.',

  // backup
  nothingWritten: 'Nothing was written.',
  backupDone: 'Backed up to {file}: {files}, {bytes}. Every file was read again and compared.',
  backupIsPrivate: 'It contains everything people said, and {secrets}: keep it where nobody else can read it.',
  backupUnreadable:
    'Not in it, because Bobbin isn’t allowed to read them, or their paths are too long, have a backslash or aren’t UTF-8:{paths}',
  backupCut: 'Only the beginning of these is in it, because they became much longer during the backup:{paths}',
  backupWithoutEnv: 'There is no .env, so it has no tokens from the environment: keep those yourself.',

  // command
  noThreads: 'There are no threads yet.',
  chatIntro: 'Write a message; /help lists what else you can do.',
  chatOutro: 'To go on: bobbin chat {thread}',
  bobbinUrl: 'BOBBIN_URL is {given}.',
  bobbinUrlRemedy: 'It looks like https://bobbin.example:3000.',
  noLastThread: 'There is no thread yet.',
  noLastThreadRemedy: 'Start one with `bobbin chat`.',
  noLastThreadIn: 'There is no thread in {project} yet.',
  noLastThreadInRemedy: 'Start one with `bobbin chat --project {project}`.',
  threadInOtherChannel: 'The thread {id} is in {channel}.',
  threadInOtherChannelRemedy: 'Leave out `--project {project}`, or start a thread there with it.',
  notLast: 'There is no thread {thread}. Did you mean last?',

  // conversation
  connectionLost: '(The connection was lost. Trying again …)',
  unreachable: 'Bobbin couldn’t be reached for {minutes} minutes, so I don’t know what became of this thread.',
  unreachableRemedy: 'It goes on once Bobbin runs again; `bobbin chat {thread}` opens it.',
  nothingCame: 'The thread’s history didn’t arrive within {minutes} minutes, so nothing was sent.',
  nothingCameRemedy: 'Check whether a proxy in between holds back event streams, or restart Bobbin.',
  sendingFailed: '{reason}\nYour message was not sent. Press Enter to send it again.',
  leftBeforeAnswer: 'You left before Bobbin had answered.',
  lineHeldBack:
    'What Bobbin asks changed while you were typing, so “{line}” wasn’t sent. Press Enter to send it anyway.',
  unsentLinesDropped: 'Discarded. (Ctrl-C again quits.)',
  nothingRunning: 'Nothing is running.',
  noSuchFile: 'There is no file {path} here.',
  noSuchFileRemedy: 'Check the path.',
  alreadyHere: '{target} is already here.',
  alreadyHereRemedy: 'Give another name: /get {path} <name>',
  noFiles: 'This thread has no files.',
  moreFiles: 'There are more files. The zip export of the console has all of them.',
  savedAs: 'Saved as {target}.',

  // screen
  answerRestarted: '(The model starts this answer again.)',

  // typed
  noChatCommand: 'There is no {command}. /help lists what there is.',

  // server
  noBobbinRemedy: 'Start it with `bobbin start`, or set BOBBIN_URL to where it is.',
  noBobbin: 'No Bobbin answers at {url} ({reason}).',
  tokenNeeded: 'Bobbin at {url} needs a token.',
  tokenNeededRemedy: 'Set BOBBIN_TOKEN to one.',
  wrongToken: 'Bobbin at {url} doesn’t accept this token: it isn’t valid, or was revoked.',
  wrongTokenRemedy: 'Set BOBBIN_TOKEN to another one; `bobbin token new` makes one.',
  otherBobbin: 'What answers at {url} isn’t the Bobbin of this home: none runs on {dataDir}.',
  otherBobbinRemedy: 'Start it with `bobbin start`, or set BOBBIN_URL to {url} to talk to the other one.',
  otherServer: 'What answers at {url} isn’t Bobbin ({status}).',
  otherServerRemedy: 'Correct BOBBIN_URL.',

  // shown
  decider: 'Can be approved by: {who}',
  deciders: 'Can be approved by: {who} ({count} of {needed} so far)',
  deniedAt: 'Denied if nobody decides by {time}.',
  typeVerdict: 'Type y to approve, n to deny, n and a reason to say why, or what to do instead.',
  typeAlways: 'Type a to always allow exactly this.',
  typeSimilar: 'Type `always similar` to allow whatever matches: {patterns}',
  typeClosed:
    'Type `always closed` to allow anything in the closed sandbox, which has no network, in this thread until tomorrow.',
  typeReach:
    'It holds in this thread for a day. To change that, add words to `always`: channel or everywhere; hour, month or forever.',
  alwaysUntrusted: 'Careful: what you always allow also covers what text from outside makes me do.',
  noAlways: 'That can’t always be allowed. Type y to approve it once.',
  forPeople: 'For {names}',
  endsAt:
    'If nobody answers by {time}, {end, select, default {“{answer}” is taken} other {I go on without an answer}}.',
  typeAnswer:
    '{options, select, some {{required, select, true {Type a number, or your answer.} other {Type a number, or your answer, or - for none.}}} other {{required, select, true {Type your answer.} other {Type your answer, or - for none.}}}}',
  nowAsking: 'Now asking {who}.',
  votedFor: '{name} approved: {votes} of {needed}.',
  answeredBy: 'Answered by {name}: {answer}',
  answeredBySome: 'Answered by the {by}: {answer}',
  typeAnswers:
    'Type the answers in this order, separated by semicolons (;){required, select, true {} other {, or - for none}}.',
  threadDeleted: 'This thread was deleted.',

  // config
  configFine: 'The configuration is fine.',
  configurationPlaces: 'Files: {files}\nData: {data}\nModel: {model}\nImages: {images}',
  noImageModel: 'no model that sees them is configured',
  practiceModel: 'the practice model (no endpoint is configured)',
  modelWithPrice:
    '{id} ({context, number} tokens of context, {output, number} of output; a million cost {input} in, {out} out)',
  modelWithoutPrice: '{id} ({context, number} tokens of context, {output, number} of output; price unknown)',
  noSubcommand: 'There is no "{command}".',
  approvalsOff: 'Approvals are turned off (approvals: false in hitl_rules.yaml).',
  writtenTo: 'Written to {directory}',

  // env file
  envLineSetsNothing: 'Line {line} of .env sets nothing.',
  envLineRemedy: 'Write NAME=value, or # before it.',
  envValueCut: 'In line {line} of .env, what follows # is left out.',
  envValueCutRemedy: 'Put the value in quotes if that belongs to it, or a blank before # if it is a comment.',
  envNameUnknown: '.env sets {name}, which nothing reads.',
  envNamesHome: 'BOBBIN_HOME has no effect in .env, because Bobbin looks for .env in that folder.',
  envNamesHomeRemedy: 'Set it in the environment of the process.',
  loneNode: 'BOBBIN_NODE is set, but DATABASE_URL is missing, so this bot shares no database: it has one of its own.',
  loneNodeRemedy: 'Set DATABASE_URL, or remove BOBBIN_NODE if this bot is to be alone.',

  // doctor
  configurationFine: 'The configuration in {configDir} is fine.',
  swappedTokens: 'The two Slack tokens are swapped.',
  swappedTokensRemedy: 'SLACK_BOT_TOKEN is the one with xoxb-, SLACK_APP_TOKEN with xapp-.',
  modelImages: 'Model for images',
  modelReasoning: 'Model for reasoning',
  modelCode: 'Model for code',
  modelLastWords: 'Model for last answers when the steps run out',
  modelEmbeddings: 'Model for embeddings',
  notConnected: 'Not connected. See README.md.',
  probeUnsent: 'Nothing was posted to {probe}: {platform} isn’t connected.',
  probeUnsentRemedy: 'Connect it first. See README.md.',
  placeholderSecret:
    'The {name} looks like a placeholder: it’s short, or made of ordinary words. So it isn’t masked in texts.',
  placeholderSecretRemedy:
    'That’s fine for your own server if it accepts any key. Otherwise put the real one into .env.',

  // explain lines
  callLineRemedy: 'Write one call per line: {example}.',
  lineUnparsable: 'This line is not JSON ({reason}).',
  lineWithoutCall: 'This line is not a call.',

  // explain
  couldReach: 'It could reach: {hosts}',
  callSeenAs: 'What Bobbin sees in it ({name} declares the effect {effect}):',
  subjectsTitle: 'Matched against patterns',
  filesRuns: 'Files that it runs',
  assumedUntrusted: 'Assumed about the thread: it has no grants; untrusted content is in it.',
  assumedTrusted:
    'Assumed about the thread: it has no grants; no untrusted content is in it (--untrusted assumes some).',
  assumedUploaded: 'Assumed: {file} was uploaded by a person.',
  assumedSandbox: 'Assumed: there is a sandbox. Without one, its effect is unclear.',
  runsClosed:
    'It runs in the closed sandbox: it can write only to outputs/ and temp/, has no network, and has tighter limits.',
  filesNotRead: 'The files it runs weren’t read. An approval holds only for their content.',
  useLimited: 'Use is limited to: {limit}',

  // export
  threadExported: 'The thread is in {file}.',
  threadIdMissing: 'Name one thread by its id.',
  noThread: 'There is no thread {id}.',
  ambiguousThread: 'Several threads have an id that begins with {id}.',
  exportFileRemedy: 'Name another file with --out.',

  // grants
  nothingAllowed: 'Nothing is always allowed.',
  grantIdMissing: 'Which one should be revoked?',
  noGrant: 'There is no grant {id}.',
  ambiguousGrant: 'Several grants begin with {id}.',
  ambiguousGrantRemedy: 'Give more of the id.',

  // home
  envFileRemedy: 'Make it readable, or remove it.',

  // main
  bobbinNode: 'Bobbin {version}, Node {node}',
  misspeltRemedy: 'Did you mean {nearest}?',
  outputIncomplete: 'The output is incomplete: {reason}.',
  noCommand: 'There is no command {command}. {remedy}',
  databaseDamagedRemedy:
    'Stop Bobbin and restore bobbin.db from a backup (together with bobbin.db-wal, if there is one).',
  dataDirUnusable: 'The data directory {dataDir} can’t be used: {reason}.',
  dataDirUnusableRemedy:
    'Make everything in it readable and writable for the user that runs Bobbin, or set BOBBIN_DATA_DIR to another directory.',
  configDirUnusable: 'The configuration directory {configDir} can’t be used: {reason}.',
  configDirUnusableRemedy: 'Run this as its owner, or set BOBBIN_CONFIG_DIR to a directory that you can write.',
  aboutDataDir: '{message} The data directory is {dataDir}.',
  databaseDamaged: 'Bobbin’s database is damaged: {message}.',

  // migrate
  alreadyMigrated: 'The database is up to date.',
  migrated: 'The database is up to date now: {missing}.',

  // move
  moveUndone: 'The bot can start here again. Never start the one on {other} as well, because both would answer.',
  moveActionMissing: 'Give either --to or --undo.',
  nothingMoved: 'Nothing was moved.',
  moveDone:
    'Moved from {here} to {there}: {sessions} and {messages}; {all} rows in {tables} tables, all counted there.',
  auditIntactAfterMove: 'The audit log is intact: {entries, plural, one {# entry} other {# entries}}.',
  auditBrokenAlready: 'The audit log was broken before, and still is, at entry {seq}. {why}',
  changedByMove:
    '{count, plural, one {# text was} other {# texts were}} changed, because PostgreSQL can’t store NUL characters, which are U+FFFD now, nor paths of more than 2,400 bytes, which end in … and a hash now.',
  leftoversPutAway: 'What an earlier move had left at {there} is now {putAway}.',
  filesNotMoved: 'Files stay in {dataDir}. The document index is rebuilt when it’s needed.',

  // nodes
  noNodes: 'No bot runs on this database.',
  drainNeedsServer: 'Without DATABASE_URL there is only one Bobbin, so no other could take over its work.',
  drainNeedsServerRemedy: 'Stop it instead: when it starts again, it continues where it left off.',
  nodeNameMissing: 'Which one should be drained?',
  noSuchNode: 'No bot called {name} runs on this database.',
  lastNodeRemedy: 'Start another one first, or stop this one.',

  // open store
  noDatabase: 'There is no database at {place}.',
  noDatabaseRemedy:
    'Set BOBBIN_HOME or BOBBIN_DATA_DIR to where the bot is, or DATABASE_URL if it is on PostgreSQL. Only if it never ran, start it, or run `bobbin migrate`.',

  // policy
  argumentsNotJsonRemedy: 'Quote them for your shell: {example}.',
  noFeedback: 'Nobody has given feedback yet.',
  noBadFeedback: 'Nobody has given bad feedback yet.',
  explainActionMissing: 'What should I explain?',
  stdinTakesNoArguments: 'With --stdin, calls are read from standard input, one per line.',
  explainCallMissing: 'Give the name of a tool and its arguments, quoted for your shell.',
  noTool: 'There is no tool {name}. There are: {names}.',
  toolOffRemedy: 'Set enabled in config/tools.yaml.',
  argumentsUnparsable: 'The arguments are not JSON ({reason}).',
  argumentsUnfit: 'The arguments do not fit {name}: {issues}.',
  argumentsUnfitRemedy: 'They are one JSON object, as the model would write it.',

  // prune
  pruneRehearsed: 'This would free about {total}. Nothing was deleted.',

  // require answer
  dataDirSilentRemedy:
    'Check the disk or the network share that it is on, or set BOBBIN_DATA_DIR to another directory.',
  dataDirSilent: 'The data directory {directory} doesn’t answer. {remedy}',

  // restore
  nothingRestored: 'Nothing was restored.',
  restoreDone: 'Restored the backup of {made} UTC to {dataDir}.',
  restoreMigrated: 'Its database was updated to this version: {migrated}.',
  inForceAgain:
    'In force as of {time} UTC, even if revoked later: {tokens, plural, one {# console token} other {# console tokens}} and {grants, plural, one {# grant} other {# grants}}. Before you start Bobbin, look through `bobbin token list` and `bobbin grants`; `bobbin token revoke <id>` and `bobbin grants revoke <id>` end them.',
  restoredSettings: 'Its configuration is in {settings}: compare it with yours, and copy what you need.',

  // sessions
  noSessions: 'There are no sessions yet.',
  noSessionsOf: '{who} has begun no session.',
  noSession: 'There is no session {id}.',

  // start
  addressRemedy: 'BOBBIN_HOST and BOBBIN_PORT in .env set where the console listens.',
  startIsSlow: 'Still starting. Another process may be using {dataDir}, or the platforms are slow.',
  lostToAnother: 'Another Bobbin has taken over. This one is stopping.',
  bobbinReady: 'Bobbin is ready: {url}\n{where}',
  practiceModelAnswers:
    'The practice model is answering; it needs no account. For a real one, set MODEL_BASE_API_KEY, MODEL_BASE_BASE_URL and MODEL_BASE_ID (see .env.example).',
  sandboxMissingClosed: 'There is no sandbox. Commands and scripts are refused. {reason} {remedy}',
  sandboxMissingOpen: 'There is no sandbox. Commands run without one. {reason} {remedy}',
  modelRefused: 'Turns will fail. {refused}',
  tokenInAddress: 'This address holds the first token, which is shown only now. `bobbin token new` makes others.',
  consoleTokenRemedy: 'The console asks for a token. `bobbin token new` makes one, if you have none.',

  // token
  noTokens: 'There are no tokens.',
  noToken: 'There is no token {id}.',
  tokenShownOnce: 'This is {id}. It’s shown only now: Bobbin keeps a hash of it.',
  tokenActionMissing: 'New, list or revoke?',
  tooMuch: 'Too many arguments.',

  // why
  noneIgnored: 'No message was ignored recently.',
  reasonUnknown:
    'No reason is stored for message {message}: it was answered, it never arrived, or it is older than {days, plural, one {# day} other {# days}} (keep.ignored_days).',
})
