import { catalogue } from '../kit/words/catalogue.ts'

/** What is said about parts that are missing or cannot start. */
export const wiringWords = catalogue({
  // tools
  toolsCrowded:
    'The MCP servers have more tools than the {most} that models’ APIs take together with Bobbin’s own. These are described to a model only once it loads them. Say `enabled: false` in config/mcp_servers.yaml of those that nobody needs.',

  // back up
  folderNotWritableRemedy: 'Name a file in a directory that exists and can be written.',
  fullFolderRemedy: 'Make room there, or name a file on another disk.',
  folderNotWritable: 'Nothing can be written in {folder}: {reason}.',
  backupOfPostgres: 'This bot is on PostgreSQL, so its database is backed up with PostgreSQL’s own tools.',
  backupOfPostgresRemedy: 'Use pg_dump for the database and tar for the files: see “Backup” in docs/running.md.',
  noDatabaseToBackUp: 'There is no database at {database}.',
  dataDirOfBackupRemedy: 'Set BOBBIN_DATA_DIR to where the bot is.',
  fileExistsRemedy: 'Name another file. Nothing was written.',

  // data folders
  linkBroken: '{link} leads nowhere.',
  linkBrokenRemedy: 'Connect the disk it is on. If those files are gone for good, remove the link.',

  // format
  foreignArchive: 'Bobbin didn’t make it',

  // restore
  restoreOnPostgresRemedy:
    'Leave DATABASE_URL out, restore, and then use `bobbin move --to` if the bot should be on PostgreSQL.',
  closedArchiveRemedy: 'Make it readable for the user that runs this, or put it where that user can read it.',
  noArchiveRemedy: 'Name an archive of `bobbin backup`.',
  emptyDataDirRemedy: 'Set BOBBIN_DATA_DIR to an empty directory, or move what is there elsewhere.',
  diskTooFull: 'The backup needs {bytes}, and only {free} are free.',
  diskTooFullRemedy: 'Make room, or set BOBBIN_DATA_DIR to a larger disk. Nothing was changed.',

  // staging
  restoreUnfinishedRemedy: 'Run the same `bobbin restore` again, or empty the directory to start without it.',
  restoredAlready: 'An earlier restore into {dataDir} was stopped, but only after everything was in place.',
  restoredAlreadyRemedy: 'Start Bobbin, or restore into an empty directory.',
  restoreRunning: 'Another restore into {dataDir} is running.',
  restoreRunningRemedy: 'Wait until it has finished.',
  restoreUnfinished: 'A restore into {dataDir} isn’t finished.',

  // foundation
  nodeNameMissing: 'DATABASE_URL is set, but BOBBIN_NODE is missing',
  nodeNameMissingRemedy:
    'Give each Bobbin on this database a name of its own that stays the same when it starts again, such as bot-1.',

  // move
  samePlace: 'The bot is on {here} already.',
  samePlaceRemedy: 'Name another database.',
  dataDirOfMoveRemedy: 'Set BOBBIN_DATA_DIR or DATABASE_URL to where the bot is now.',
  noDatabaseToMove: 'There is no database at {name}.',
  targetFilledRemedy: 'Move to an empty one.',
  targetFilled: 'The database {name} isn’t empty. Nothing was moved.',
  noMoveToUndo: 'There is nothing to undo.',

  // plugins
  pluginNotLoaded: 'The plug-in {path} cannot be loaded: {reason}',
  pluginNotThereRemedy: 'Correct its path in config/bobbin.yaml, or remove it.',
  pluginImportRemedy:
    'Install the package in the plug-in’s folder, or correct the import. What Bobbin passes to the plug-in’s function needs no import: see docs/extending.md.',
  pluginFailedRemedy: 'Correct the plug-in, or remove it from config/bobbin.yaml.',
  pluginUnusable: 'The plug-in {path} can’t be used: {reason}.',
  pluginUnusableRemedy: 'Correct it: src/turn/port/capability.ts says what each field is.',
  pluginMadeNothing: 'its default export returns no object',
  fieldIsNoText: '`{field}` isn’t a text',
  fieldIsNoFunction: '`{field}` isn’t a function',
  settingsAreNoSection: '`settings` isn’t a section with a schema',
  toolsAreNoList: '`{field}` isn’t a list of tools',
  foundUnusable: 'What it has found can’t be used: {reason}.',
  toolWithoutName: 'one of its tools has no name',
  eventsAreNoSchemas: '`events` isn’t an object of schemas',
  fieldIsOurs: 'only parts that ship with Bobbin may have `{field}`',
  toolWithoutKind: 'its tool {tool} needs a `kind`: run, ask, end or child',
  toolWithoutEffect: 'its tool {tool} needs an `effect`: read, write or external',
  toolNameUnsendable:
    'the name of its tool {tool} may have only letters without accents, digits, _ and -, and at most 64 of them',
  toolFieldIsNoText: '`{field}` of its tool {tool} isn’t a text',
  toolFieldIsNoSchema: '`{field}` of its tool {tool} isn’t a schema',
  toolFieldIsNoFunction: '`{field}` of its tool {tool} isn’t a function',
  toolInputUnshowable: 'no model can be shown the `input` of its tool {tool}: {reason}',
  partNameTaken: 'The plug-in {name} has the name of a part of Bobbin.',
  pluginNameTaken: 'The plug-in {name} has the name of another plug-in.',
  ownNameTakenRemedy: 'Give it another name. A module that is listed twice can take its name from its options.',
  nameTaken: 'The plug-in {name} has a {what} called {taken}, and so has {owner}.',
  nameTakenRemedy: 'Give it another name.',
  pluginOwner: 'the plug-in {name}',
  namedSection: 'section of settings',
  namedCommand: 'session command',
  namedJob: 'kind of job',
  misspeltRemedy: 'Did you mean {meant}?',
  onlyDeciderRemedy: 'Under this name, give only a decider.',
  addedToolRemedy: 'If an MCP server that was added while Bobbin ran has a tool with this alias, write {tool}*.',

  // same disk
  otherDiskRemedy: 'Mount the same directory as BOBBIN_DATA_DIR on each machine.',

  // secrets
  socketTokenName: 'Slack app token',
  signingSecretName: 'Slack signing secret',

  // settings
  correctValueRemedy: 'Correct the value.',
  unknownSetting: 'There is no setting called {unknown}, and no plug-in has one.',
  unknownSettingRemedy: 'Remove it from config/bobbin.yaml, or correct its spelling.',

  // soundness
  databaseDamaged: 'The database is damaged: {faults}. Stop Bobbin and restore bobbin.db from a backup.',
})
