import { catalogue } from '../kit/words/catalogue.ts'

/** What is said about a database that cannot be used. */
export const storeWords = catalogue({
  // audit chain
  logEndsEntryBut: 'The log ends with entry {seq}, but it once had {seq2}: its end was cut off.',
  entryMissingAfterComes: 'Entry {next} is missing; after {seq} comes {seq2}.',
  entry: 'Entry {seq} {before}.',
  entryChanged: 'Entry {seq} was changed.',
  entryIsntOneNoted: 'Entry {seq} isn’t the one that was noted: the log was rewritten up to there.',

  // ignored
  deletedFirst: 'It was deleted before the bot could store it.',

  // inspect
  stopBotRestoreBobbin:
    'Stop the bot and restore bobbin.db from a backup (together with bobbin.db-wal, if there is one).',
  stopBotRestoreDatabase: 'Stop the bot and restore the database from a backup.',

  // make private
  dataDirectoryCantCreated: 'The data directory {directory} can’t be created: {reason}.',
  setBobbinDataDir: 'Set BOBBIN_DATA_DIR to a writable directory.',

  // index
  databaseNoTablesYet: 'The database has no tables yet.',
  databaseMadeOlderVersion: 'The database was made by an older version of Bobbin.',
  databaseCannotUsedVersion: 'The database can’t be used by this version of Bobbin: {reason}',
  startVersionWroteOr: 'Start the version that wrote it, or restore a backup; nothing was changed.',
  databaseBelongsNewerVersion:
    'The database belongs to a newer version of Bobbin: it has the schema {unknown}, and this version knows them up to {newestSchema}.',
  migrateOrStart: 'Run `bobbin migrate`, or start this version; nothing was changed.',
  startVersionOrNewer: 'Start that version, or a newer one; nothing was changed.',

  // copy
  onlyOneTwoDatabases: 'Only one of the two databases has {different}.',
  databaseDamaged: 'The database {name} is damaged: {fault}.',
  auditLogWouldNot: 'The audit log would not be the same.',
  nothingMovedPleaseReport: 'Nothing was moved. Report this; the bot can be started where it was.',
  tableRowsInstead: 'The table {table} has {count, plural, one {# row} other {# rows}} instead of {copied}.',

  // moved
  botMovedDoesntStart: 'This bot was moved to {other} on {day}, so it no longer starts here.',
  startOrBringBack:
    'Start it there, or bring it back from there with `bobbin move --to …`. `bobbin move --undo` would let it start here again, without anything that happened since.',
  moveBotBegunIsnt: 'A move of this bot to {other} was begun on {day} and isn’t finished.',
  runSameBobbinMove: 'Run the same `bobbin move` again to finish it, or `bobbin move --undo` to stay here.',
  moveFromIntoDatabase: 'A move from {other} into this database was begun on {day} and isn’t finished.',
  runSameBobbinMove2: 'Run the same `bobbin move` again to finish it, or use another database.',

  // database
  postgresqlTooOld: 'PostgreSQL {version} is too old.',
  useVersionOrNewer: 'Use version {oldest} or newer.',
  createOneEncodingUtf8: 'Create one with the encoding UTF8, and put it into DATABASE_URL.',
  databaseDatabaseUrlEncoding: 'The database in DATABASE_URL has the encoding {encoding}.',

  // driver
  connectionPostgresqlBrokeDuring:
    'The connection to PostgreSQL broke during a commit, and it can’t be found out whether it was stored.',
  startPostgresqlBobbinThen: 'Start PostgreSQL. Bobbin then continues from what is stored.',

  // busy
  anotherProcessMiddleWrite: 'Another process is in the middle of a write to the database.',
  stopProcessBobbinHangs:
    'Stop that process (a Bobbin that hangs or is frozen, or a tool that has the file open). Nothing will be lost.',

  // copy
  useOlderBackup: 'Use an older backup.',

  // faults of PostgreSQL
  pgDenied: 'PostgreSQL refuses the user or the password in DATABASE_URL.',
  correctUser: 'Correct them, or the rules in its pg_hba.conf',
  pgMissing: 'The database in DATABASE_URL doesn’t exist.',
  createIt: 'Create it, for example with createdb',
  pgNotAllowed: 'The user in DATABASE_URL isn’t allowed to create or change Bobbin’s tables.',
  makeOwner: 'Make this user the owner of the database',
  pgNoConnection: 'PostgreSQL has no connection left.',
  raiseConnections: 'Raise its max_connections, or end other programs that use it',
  pgDiskFull: 'The PostgreSQL server’s disk is full or failing.',
  makeRoomThere: 'Make room on it, or check it',
  pgReadOnly: 'The PostgreSQL server only allows reading.',
  usePrimary: 'Put the address of the primary into DATABASE_URL',
  pgBusy: 'Another process holds the database in the middle of a write.',
  endProcess: 'End that process if it hangs',
  pgDamaged: 'The PostgreSQL database is damaged.',
  restoreIt: 'Restore it from a backup',
  pgUnreachable: 'The PostgreSQL server can’t be reached.',
  startPg: 'Start it, or correct the address in DATABASE_URL',

  // mark
  olderThanItsMark:
    'The database is older than Bobbin’s last write to it. Something is missing, such as a deleted bobbin.db-wal.',
  restoreWithItsLog: 'Restore bobbin.db together with its bobbin.db-wal. After restoring a backup, this is expected.',
})
