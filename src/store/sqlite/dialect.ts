import Sqlite from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
} from 'kysely'

/**
 * SQLite as the store needs it. Every transaction takes the write lock at its start, so that two processes wait for
 * each other instead of failing halfway. Schema changes are part of their transaction. `first` is done before all else.
 */
export function sqliteDialect(
  file: string,
  patienceMs = 10_000,
  first: (database: Sqlite.Database) => void = () => {},
): Dialect {
  const native = open(file, patienceMs, first)
  const database = preparedOnce(native)
  const dialect = new SqliteDialect({ database })
  return {
    createDriver: () => new ImmediateDriver({ database }, () => native.inTransaction),
    createAdapter: () => adapter,
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db) => dialect.createIntrospector(db),
  }
}

function open(file: string, patienceMs: number, first: (database: Sqlite.Database) => void): Sqlite.Database {
  const database = new Sqlite(file, { timeout: patienceMs })
  try {
    first(prepared(database))
    return database
  } catch (thrown) {
    database.close()
    throw thrown
  }
}

function prepared(database: Sqlite.Database): Sqlite.Database {
  // A transaction writes whole pages, and most rows are small. Existing databases keep their page size.
  database.pragma('page_size = 512')
  database.pragma('journal_mode = WAL')
  // With NORMAL a power failure could lose what was acknowledged.
  database.pragma('synchronous = FULL')
  // As much log as with pages of the usual size: each checkpoint writes the same few hot pages to the file again.
  database.pragma('wal_autocheckpoint = 8000')
  // What is deleted must not stay in the file, or in its backups.
  database.pragma('secure_delete = ON')
  database.pragma('foreign_keys = ON')
  // A temporary file needs a descriptor and disk space, and both may be short.
  database.pragma('temp_store = MEMORY')
  return database
}

/** Kysely prepares a statement for every query; the bot has only a few hundred different ones, which are kept. */
function preparedOnce(database: Sqlite.Database): SqliteDatabase {
  const statements = new Map<string, ReturnType<SqliteDatabase['prepare']>>()
  return {
    close: () => database.close(),
    prepare(text) {
      const known = statements.get(text)
      if (known !== undefined) return known
      const statement = database.prepare(text) as ReturnType<SqliteDatabase['prepare']>
      if (statements.size < 1000) statements.set(text, statement)
      return statement
    },
  }
}

class ImmediateDriver extends SqliteDriver {
  readonly #isOpen: () => boolean

  constructor(config: { database: SqliteDatabase }, isOpen: () => boolean) {
    super(config)
    this.#isOpen = isOpen
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  /** On a full disk SQLite rolls back by itself. A second rollback would throw and hide the cause. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#isOpen()) await super.rollbackTransaction(connection)
  }
}

class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

const adapter = new TransactionalAdapter()
