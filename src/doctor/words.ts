import { catalogue } from '../kit/words/catalogue.ts'

/** What the doctor says about the machine, the data, the model and the address. */
export const doctorWords = catalogue({
  // address
  consoleCanListen: 'The console can listen on {host}:{port}.',
  bobbinListensNow: 'Bobbin listens on {host}:{port} now.',
  bobbinWithOtherDataListens: 'A Bobbin with another data directory listens on {host}:{port}.',
  anotherProgramUsesPort: 'Another program uses port {port} on {host}.',
  endOrSetBobbin: 'End it, or set BOBBIN_PORT to another port (0 takes any).',
  consoleCantListen: 'The console can’t listen on {host}:{port}: {reason}.',
  correctBobbinHost: 'Correct BOBBIN_HOST.',

  // data
  makeWritableUserRuns: 'Make it writable for the user that runs Bobbin, or set BOBBIN_DATA_DIR to another directory.',
  dataDirectoryCantWritten: 'The data directory {dataDir} can’t be written: {reason}.',
  dataDirectoryCanWritten: 'The data directory {dataDir} can be written.',
  dataDirectoryWillCreated: 'The data directory {dataDir} will be created at the first start.',
  gbFree: '{gigabytes} GB are free there.',
  onlyFree: 'Only {gigabytes} GB are free there.',
  makeRoomUploadsWorkspaces: 'Make room for uploads and workspaces, or set BOBBIN_DATA_DIR to a larger disk.',
  databaseCantRead: 'The database {name} can’t be read: {reason}.',
  noDatabaseYetFirst: 'There is no database yet. The first start creates it.',
  databaseDamaged: 'The database {name} is damaged: {faults}.',
  backgroundJob: 'A background job',
  databaseSound: 'The database is sound and holds {count, plural, one {# session} other {# sessions}}.',

  // machine
  nodeOn: 'Node {node} on {platform} {arch}',
  bobbinRuns: 'Bobbin {version} runs on {node}.',
  bobbinNeedsNode: 'Bobbin needs Node {neededNode}; this is {node}.',
  runNpmCiWhich: 'Run npm ci, which installs the right one.',
  packagesFine: 'Packages are as they should be ({packages}).',
  packagesDontMatchVersion: 'Packages don’t match this version: {faults}.',
  runNpmCi: 'Run npm ci.',
  onlyFilesConnectionsMay:
    'Only {limit} files and connections may be open at once, so {turns} turns run at the same time.',
  raiseLimitUlimitN: 'Raise the limit: `ulimit -n 4096` before the start, or LimitNOFILE=4096 in a systemd unit.',

  // model
  practiceModelAnswersNeeds: 'The practice model answers. It needs no account and follows a few fixed rules.',
  realModelSetEnv: 'For a real model, set {settings} in .env.',
  modelAnswers: 'The model {name} answers.',
  modelDoesntAnswer: 'The model {name} doesn’t answer. {reason}',
  theSettingsAre: 'The settings are {settings}.',
  embeddingModelAnswersDimensions:
    'The embedding model {name} answers, with {count, plural, one {# dimension} other {# dimensions}}.',
  embeddingModelDoesntAnswer:
    'The embedding model {name} doesn’t answer. Passages are found by their words only. {reason}',
  millionTokensCost: 'A million tokens cost {cost}.',
  setContextOutputReal: 'Set {prefix}_CONTEXT and {prefix}_OUTPUT to its real limits, or list it under `known`.',
  millionTokensCostOut: 'A million tokens cost {costs}, {output} out (prices in config/models.yaml are of {pricesOf}).',

  // nodes
  noBotRunsNow: 'No bot runs on it now.',
  botRunsNow: 'A bot runs on it now ({only}).',
  botDraining: 'The bot {node} is draining: it takes nothing new.',
  botDrained: 'The bot {node} is drained: it takes no work.',
  botEnded: 'The bot {node} ended without shutting down properly.',
  botSilent: 'The bot {node} isn’t responding.',
  othersContinueWorkStart: 'The others continue its work. Start it again.',
  startAgainUndoOr: 'Start it again to undo that, or stop it.',

  // report
  checkItselfFailed: 'This check itself failed: {reason}.',
  pleaseReportAsBug: 'Report it as a bug.',
  noErrors: 'No errors, {notes}.',
  everythingFine: 'Everything is fine.',
})
