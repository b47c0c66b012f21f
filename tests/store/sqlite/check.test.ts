import { open } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { checkDatabase } from '../../../src/store/sqlite/check.ts'
import { scratch } from '../../support/store.ts'

/** A database with so many rows of 1,000 bytes, and an index on them. */
async function databaseOf(rows: number): Promise<{ file: string; indexPage: number }> {
  const file = join(await scratch(), 'any.db')
  const database = new Sqlite(file)
  database.exec('create table texts (id integer primary key, text); create index by_id on texts (id, text)')
  const insert = database.prepare('insert into texts (text) values (?)')
  database.transaction(() => {
    for (let row = 0; row < rows; row++) insert.run('x'.repeat(1000))
  })()
  const indexPage = database.prepare("select rootpage from sqlite_master where name = 'by_id'").pluck().get()
  database.close()
  return { file, indexPage: Number(indexPage) }
}

test.each([
  ['at once', 10],
  ['in a process of its own', 2_500],
])('a sound file has no faults, and a damaged page is one: %s', async (_, rows) => {
  const { file, indexPage } = await databaseOf(rows)
  await expect(checkDatabase(file, new AbortController().signal, 0)).resolves.toEqual([])
  const handle = await open(file, 'r+')
  await handle.write(Buffer.alloc(64, 0xa5), 0, 64, (indexPage - 1) * 4096 + 3)
  await handle.close()
  await expect(checkDatabase(file, new AbortController().signal, 0)).resolves.not.toEqual([])
})
