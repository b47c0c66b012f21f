import { catalogue } from '../kit/words/catalogue.ts'

/** What the doctor says about the machine, the data, the model and the address. */
export const doctorWords = catalogue({
  // address
  addressFree: 'The console can listen on {host}:{port}.',
  alreadyListening: 'Bobbin listens on {host}:{port} now.',
  otherBobbinListens: 'A Bobbin with another data directory listens on {host}:{port}.',
  portTaken: 'Another program uses port {port} on {host}.',
  portTakenRemedy: 'End it, or set BOBBIN_PORT to another port (0 takes any).',
  addressUnusable: 'The console can’t listen on {host}:{port}: {reason}.',
  addressUnusableRemedy: 'Correct BOBBIN_HOST.',

  // data
  dataDirNotWritableRemedy:
    'Make it writable for the user that runs Bobbin, or set BOBBIN_DATA_DIR to another directory.',
  dataDirNotWritable: 'The data directory {dataDir} can’t be written: {reason}.',
  dataDirWritable: 'The data directory {dataDir} can be written.',
  dataDirToCome: 'The data directory {dataDir} will be created at the first start.',
  openToOthers: 'Every user of this machine can read {open}.',
  openToOthersRemedy: 'Close it to them: `chmod o= {places}`.',
  openAndForeignRemedy:
    'Make it belong to the user that runs Bobbin, and then close it to others: `chmod o= {places}`.',
  linkWritable: '{link} leads to {target}, which can be written.',
  linkNotWritable: '{link} leads to {target}, which can’t be written: {reason}.',
  linkNotWritableRemedy: 'Make it a folder that the user who runs Bobbin can write to.',
  linkBroken: '{link} is a link that leads nowhere: {reason}.',
  linkBrokenRemedy: 'Connect the disk that it leads to, or remove the link if its files are gone for good.',
  diskSpace: '{gigabytes} GB are free there.',
  littleDiskSpace: 'Only {gigabytes} GB are free there.',
  diskSpaceRemedy:
    'Make room for uploads and workspaces, or move them to a larger disk (BOBBIN_DATA_DIR, or the link).',
  databaseUnreadable: 'The database {name} can’t be read: {reason}.',
  databaseNotWritable: 'The database {name} can’t be written: {reason}.',
  databaseNotWritableRemedy: 'Make it writable for the user that runs Bobbin.',
  databaseToCome: 'There is no database yet. The first start creates it.',
  databaseDamaged: 'The database {name} is damaged: {faults}.',
  backgroundJob: 'A background job',
  formerDatabases: 'A move left {files}, where everything said until then stays, even if it is deleted now.',
  formerRemedy: 'When the bot has worked for a while, remove it, and its files that end in -wal and -shm.',
  unusedDatabase:
    'This bot doesn’t use {file}, because DATABASE_URL names another database. What it holds stays, even if it is deleted now.',
  unusedRemedy:
    'If a move left it (`bobbin doctor` without DATABASE_URL says so) and the bot has worked for a while, or nobody needs it, remove it, and its files that end in -wal and -shm.',
  unusedMoveRemedy:
    'To take everything along instead, stop the bot, leave DATABASE_URL out, and run `bobbin move --to` with the address of an empty database.',
  databaseSound: 'The database is sound and holds {count, plural, one {# session} other {# sessions}}.',

  // machine
  nodeOn: 'Node {node} on {platform} {arch}',
  bobbinRuns: 'Bobbin {version} runs on {node}.',
  nodeTooOld: 'Bobbin needs Node {neededNode}; this is {node}.',
  nodeTooOldRemedy:
    'Install the right one, or Bobbin again, which brings it: in a clone with npm ci, otherwise with npm install --global ./bobbin-….tgz (npm 12 also needs --allow-scripts=node).',
  packagesFine: 'Packages are as they should be ({packages}).',
  packagesUnfit: 'Packages don’t match this version: {faults}.',
  packagesUnfitRemedy: 'Run npm ci in a clone; otherwise install the package, or build the image, again.',
  fewDescriptors: 'Only {limit} files and connections may be open at once, so {turns} turns run at the same time.',
  fewDescriptorsRemedy: 'Raise the limit: `ulimit -n 4096` before the start, or LimitNOFILE=4096 in a systemd unit.',

  // model
  practiceModel: 'The practice model answers. It needs no account and follows a few fixed rules.',
  practiceModelRemedy: 'For a real model, set {settings} in .env.',
  modelAnswers: 'The model {name} answers.',
  modelSilent: 'The model {name} doesn’t answer. {reason}',
  modelSlow: 'I waited only {seconds} s; a slower one may still work.',
  modelSettingsRemedy: 'The settings are {settings}.',
  visionWithoutTools:
    'Images are sent to it along with tools, so it can only describe them for a model that somebody chose with `use`. Other answers come without them.',
  embeddingWorks: 'The embedding model {name} answers, with {count, plural, one {# dimension} other {# dimensions}}.',
  embeddingSilent: 'The embedding model {name} doesn’t answer. Passages are found by their words only. {reason}',
  embeddingPrice: 'A million tokens cost {cost}.',
  unknownLimitsRemedy:
    'Set {prefix}_CONTEXT and {prefix}_OUTPUT to the limits that its server is set to, or list it under `known`.',
  modelPrice: 'A million tokens cost {costs}, {output} out (prices in config/known_models.json are of {pricesOf}).',

  // nodes
  noNode: 'No bot runs on it now.',
  oneNode: 'A bot runs on it now ({only}).',
  botDraining: 'The bot {node} is draining: it takes nothing new.',
  botDrained: 'The bot {node} is drained: it takes no work.',
  botEnded: 'The bot {node} ended without shutting down properly.',
  botSilent: 'The bot {node} isn’t responding.',
  deadNodeRemedy: 'The others continue its work. Start it again.',
  restingNodeRemedy: 'Start it again to undo that, or stop it.',

  // report
  checkFailed: 'This check itself failed: {reason}.',
  checkFailedRemedy: 'Report it as a bug.',
  noErrors: 'No errors, {notes}.',
  everythingFine: 'Everything is fine.',
})
