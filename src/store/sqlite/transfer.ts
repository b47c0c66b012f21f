import { existsSync, renameSync, rmSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { CompiledQuery, sql } from 'kysely'
import { list, quoted, readingOf, type Shape } from '../move/shapes.ts'
import type { Reading, Transfer, Value } from '../move/transfer.ts'
import { databaseBusy } from './busy.ts'

const mostRows = 200
const mostCharacters = 1_000_000
/** SQLite limits the number of values in one statement. */
const mostValues = 1_000

export const sqliteTransfer: Transfer = {
  columns: `select m.name as "table", c.name, c.type, c.pk as "key" from pragma_table_list m, pragma_table_info(m.name) c
    where m.type = 'table' and m.schema = 'main' and m.name not like 'sqlite%'`,
  references: `select m.name as "table", f."table" as "to" from sqlite_master m, pragma_foreign_key_list(m.name) f
    where m.type = 'table'`,
  read: async (file) => reading(file),
  makeRoom: async (file) => putAway(file),
  async putBack(file, putAway) {
    // Somebody may have removed what a move had put away that was killed.
    if (!existsSync(putAway)) return
    for (const one of [`${file}-wal`, `${file}-shm`]) rmSync(one, { force: true })
    renameSync(putAway, file)
  },
  async fill(db, _, work) {
    await sql`pragma defer_foreign_keys = on`.execute(db)
    await work()
  },
  async insert(db, shape, rows) {
    const most = Math.max(1, Math.floor(mostValues / shape.columns.length))
    for (let first = 0; first < rows.length; first += most) {
      const some = rows.slice(first, first + most)
      await db.executeQuery(CompiledQuery.raw(insertOf(shape, some.length), some.flat().map(storable)))
    }
    return 0
  },
}

function insertOf({ table, columns }: Shape, rows: number): string {
  const row = `(${columns.map(() => '?').join(', ')})`
  return `insert into ${quoted(table)} (${list(columns)}) values ${Array.from({ length: rows }, () => row).join(', ')}`
}

const storable = (value: Value) => (typeof value === 'boolean' ? Number(value) : value)

function reading(file: string): Reading {
  const database = new Sqlite(file, { readonly: true })
  database.exec('begin')
  return {
    async *batches(shape) {
      const rows = database.prepare<[], Value[]>(readingOf(shape)).raw().safeIntegers()
      let batch: Value[][] = []
      let characters = 0
      for (const row of rows.iterate()) {
        batch.push(row)
        for (const value of row) characters += lengthOf(value)
        if (batch.length < mostRows && characters < mostCharacters) continue
        yield batch
        batch = []
        characters = 0
      }
      if (batch.length > 0) yield batch
    },
    async close() {
      database.close()
    },
  }
}

/** The mark beside it stays, because it has to go on counting. */
function putAway(file: string): string | undefined {
  if (!existsSync(file)) return undefined
  const database = new Sqlite(file)
  try {
    const isEmpty = database.prepare("select 1 from sqlite_master where name = 'notes'").get() === undefined
    const note = isEmpty
      ? undefined
      : database.prepare<[], string>("select value from notes where name = 'store.move'").pluck().get()
    if (note === undefined || JSON.parse(note).state !== 'left') return undefined
  } finally {
    // This also puts what is still in the log into the file.
    database.close()
  }
  if (existsSync(`${file}-wal`)) throw databaseBusy(undefined)
  const place = `${file}.moved-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}`
  renameSync(file, place)
  return place
}

const lengthOf = (value: Value): number => (typeof value === 'string' || value instanceof Uint8Array ? value.length : 0)
