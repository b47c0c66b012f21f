import { catalogue } from '../kit/words/catalogue.ts'

/** What is said about parts that are missing or cannot start. */
export const wiringWords = catalogue({
  // back up
  nameFileDirectoryExists: 'Name a file in a directory that exists and can be written.',
  nothingCanWritten: 'Nothing can be written in {folder}: {reason}.',
  botPostgresqlDatabaseBacked: 'This bot is on PostgreSQL, so its database is backed up with PostgreSQL’s own tools.',
  usePgDumpDatabase: 'Use pg_dump for the database and tar for the files: see “Backup” in docs/running.md.',
  noDatabase: 'There is no database at {database}.',
  setBobbinDataDir: 'Set BOBBIN_DATA_DIR to where the bot is.',
  nameAnotherFileNothing: 'Name another file. Nothing was written.',

  // format
  bobbinDidntMake: 'Bobbin didn’t make it',

  // restore
  leaveDatabaseUrlOut:
    'Leave DATABASE_URL out, restore, and then use `bobbin move --to` if the bot should be on PostgreSQL.',
  nameArchiveBobbinBackup: 'Name an archive of `bobbin backup`.',
  setBobbinDataDir2: 'Set BOBBIN_DATA_DIR to an empty directory, or move what is there elsewhere.',
  backupNeedsOnlyFree: 'The backup needs {bytes}, and only {free} are free.',
  makeRoomOrSet: 'Make room, or set BOBBIN_DATA_DIR to a larger disk. Nothing was changed.',

  // staging
  runSameBobbinRestore: 'Run the same `bobbin restore` again, or empty the directory to start without it.',
  restoreIntoIsntFinished: 'A restore into {dataDir} isn’t finished.',

  // foundation
  databaseUrlSetBut: 'DATABASE_URL is set, but BOBBIN_NODE is missing.',
  giveEachBobbinDatabase:
    'Give each Bobbin on this database a name of its own that stays the same when it starts again, such as bot-1.',

  // move
  botAlready: 'The bot is on {here} already.',
  nameAnotherDatabase: 'Name another database.',
  setBobbinDataDir3: 'Set BOBBIN_DATA_DIR or DATABASE_URL to where the bot is now.',
  noDatabase2: 'There is no database at {name}.',
  moveEmptyOne: 'Move to an empty one.',
  databaseIsntEmptyNothing: 'The database {name} isn’t empty. Nothing was moved.',
  nothingUndo: 'There is nothing to undo.',

  // plugins
  plugCannotLoaded: 'The plug-in {path} cannot be loaded: {reason}',
  correctPathConfigBobbin: 'Correct its path in config/bobbin.yaml, or remove it.',
  plugBringsToolCalled: 'The plug-in {name} brings a tool called {tool}, but that name is already used.',
  giveAnotherName: 'Give it another name.',
  didYouMean: 'Did you mean {meant}?',

  // same disk
  mountSameDirectoryAs: 'Mount the same directory as BOBBIN_DATA_DIR on each machine.',

  // secrets
  slackAppToken: 'Slack app token',
  slackSigningSecret: 'Slack signing secret',

  // settings
  correctValue: 'Correct the value.',
  noSettingCalledNo: 'There is no setting called {unknown}, and no plug-in has one.',
  removeFromConfigBobbin: 'Remove it from config/bobbin.yaml, or correct its spelling.',

  // soundness
  databaseDamagedStopBobbin: 'The database is damaged: {faults}. Stop Bobbin and restore bobbin.db from a backup.',
})
