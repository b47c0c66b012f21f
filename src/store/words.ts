import { catalogue } from '../kit/words/catalogue.ts'

/** What is said about a database that cannot be used. */
export const storeWords = catalogue({
  // audit chain
  auditEndMissing: 'The log ends with entry {seq}, but it once had {seq2}: its end was cut off.',
  auditEntryMissing: 'Entry {next} is missing; after {seq} comes {seq2}.',
  entry: 'Entry {seq} {before}.',
  entryChanged: 'Entry {seq} was changed.',
  auditRewritten: 'Entry {seq} isn’t the one that was noted: the log was rewritten up to there.',

  // ignored
  deletedFirst: 'It was deleted before the bot could store it.',

  // inspect
  restoreFileRemedy: 'Stop the bot and restore bobbin.db from a backup (together with bobbin.db-wal, if there is one).',
  restoreDatabaseRemedy: 'Stop the bot and restore the database from a backup.',

  // make private
  dataDirNotCreated: 'The data directory {directory} can’t be created: {reason}.',
  dataDirIsFile: 'The data directory {directory} is a file.',
  dataDirRemedy: 'Set BOBBIN_DATA_DIR to a writable directory.',

  // open database
  databaseUnreadable: '{place} can’t be read: {reason}.',
  databaseUnreadableRemedy: 'Run this as the user that runs Bobbin, for example with `sudo -u bobbin`.',

  // index
  noTables: 'The database has no tables yet.',
  schemaBehind: 'The database was made by an older version of Bobbin.',
  foreignHistory: 'The database can’t be used by this version of Bobbin: {reason}',
  foreignHistoryRemedy: 'Start the version that wrote it, or restore a backup; nothing was changed.',
  schemaAhead:
    'The database belongs to a newer version of Bobbin: it has the schema {unknown}, and this version knows them up to {newestSchema}.',
  schemaBehindRemedy: 'Run `bobbin migrate`, or start this version; nothing was changed.',
  schemaAheadRemedy: 'Start that version, or a newer one; nothing was changed.',

  // copy
  schemasDiffer: 'Only one of the two databases has {different}.',
  databaseDamaged: 'The database {name} is damaged: {fault}.',
  auditWouldDiffer: 'The audit log would not be the same.',
  moveFailedRemedy: 'Nothing was moved. Report this; the bot can be started where it was.',
  rowCountDiffers: 'The table {table} has {count, plural, one {# row} other {# rows}} instead of {copied}.',

  // moved
  movedAway: 'This bot was moved to {other} on {day}, so it no longer starts here.',
  movedAwayRemedy:
    'Start it there, or bring it back from there with `bobbin move --to …`. `bobbin move --undo` would let it start here again, without anything that happened since.',
  leavingUnfinished: 'A move of this bot to {other} was begun on {day} and isn’t finished.',
  leavingUnfinishedRemedy: 'Run the same `bobbin move` again to finish it, or `bobbin move --undo` to stay here.',
  arrivingUnfinished: 'A move from {other} into this database was begun on {day} and isn’t finished.',
  arrivingUnfinishedRemedy: 'Run the same `bobbin move` again to finish it, or use another database.',

  // database
  serverTooOld: 'PostgreSQL {version} is too old.',
  serverTooOldRemedy: 'Use version {oldest} or newer.',
  wrongEncodingRemedy: 'Create one with the encoding UTF8, and put it into DATABASE_URL.',
  wrongEncoding: 'The database in DATABASE_URL has the encoding {encoding}.',

  // driver
  commitOutcomeUnknown:
    'The connection to PostgreSQL broke during a commit, and it can’t be found out whether it was stored.',
  commitOutcomeRemedy: 'Start PostgreSQL. Bobbin then continues from what is stored.',

  // busy
  databaseBusy: 'Another process is in the middle of a write to the database.',
  databaseBusyRemedy:
    'Stop that process (a Bobbin that hangs or is frozen, or a tool that has the file open). Nothing will be lost.',

  // copy
  damagedBackupRemedy: 'Use an older backup.',

  // faults of PostgreSQL
  pgDenied: 'PostgreSQL refuses the user or the password in DATABASE_URL.',
  pgDeniedRemedy: 'Correct them, or the rules in its pg_hba.conf',
  pgNeedsTls: 'PostgreSQL has no rule that lets this user in from here without encryption.',
  pgNeedsTlsRemedy:
    'Add a line for it to pg_hba.conf or, if connections have to be encrypted, sslmode=verify-full to DATABASE_URL',
  pgWithoutTls: 'PostgreSQL doesn’t offer the encryption that DATABASE_URL asks for.',
  pgWithoutTlsRemedy: 'Switch on TLS there, or remove sslmode from the address',
  pgUntrusted: 'The PostgreSQL server’s certificate isn’t valid here.',
  pgUntrustedRemedy:
    'Add sslrootcert=<the file with its authority’s certificate> to DATABASE_URL, and use the name of the host that the certificate is for',
  pgMissing: 'The database in DATABASE_URL doesn’t exist.',
  pgMissingRemedy: 'Create it, for example with createdb',
  pgNotAllowed: 'The user in DATABASE_URL isn’t allowed to create or change Bobbin’s tables.',
  pgNotAllowedRemedy: 'Make this user the owner of the database',
  pgNoConnection: 'PostgreSQL has no connection left.',
  pgNoConnectionRemedy: 'Raise its max_connections, or end other programs that use it',
  pgDiskFull: 'The PostgreSQL server’s disk is full or failing.',
  pgDiskFullRemedy: 'Make room on it, or check it',
  pgReadOnly: 'The PostgreSQL server only allows reading.',
  pgReadOnlyRemedy: 'Put the address of the primary into DATABASE_URL',
  pgBusy: 'Another process holds the database in the middle of a write.',
  pgBusyRemedy: 'End that process if it hangs',
  pgDamaged: 'The PostgreSQL database is damaged.',
  pgDamagedRemedy: 'Restore it from a backup',
  pgUnreachable: 'The PostgreSQL server can’t be reached.',
  pgUnreachableRemedy: 'Start it, or correct the address in DATABASE_URL',

  // mark
  olderThanItsMark:
    'The database is older than Bobbin’s last write to it. Something is missing, such as a deleted bobbin.db-wal.',
  olderThanItsMarkRemedy:
    'Restore bobbin.db together with its bobbin.db-wal. After restoring a backup, this is expected.',
})
