import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { layDatabase } from '../support/sqlite-template.ts'
import { scratch } from '../support/store.ts'
import { bobbinHere as bobbin } from './support.ts'

const commands = [['audit', 'verify'], ['audit', 'export'], ['sessions'], ['why'], ['grants'], ['doctor']]

async function changed(sql: string): Promise<string> {
  const directory = await scratch()
  const file = join(directory, 'bobbin.db')
  await layDatabase(file)
  const database = new Database(file)
  database.pragma('foreign_keys = off')
  database.exec(sql)
  database.close()
  return directory
}

async function withFile(content: string): Promise<string> {
  const directory = await scratch()
  writeFileSync(join(directory, 'bobbin.db'), content)
  return directory
}

const tables = ['audit', 'sessions', 'ignored', 'grants'].map((table) => `drop table ${table};`).join('')

const states: [state: string, make: () => Promise<string>, code: number][] = [
  ['whose tables are gone', () => changed(tables), 1],
  ['that is no database', () => withFile('This is a letter, and no database at all. '.repeat(200)), 1],
  ['of a newer version', () => changed("insert into kysely_migration values ('999-later', '2099-01-01')"), 1],
]

describe.each(states)('on a database %s', (_, make, code) => {
  test.each(commands)('%s %s', async (...command) => {
    const ended = await bobbin(await make(), ...command.filter((word) => word !== undefined))
    expect(ended.out + ended.err).not.toMatch(/^\s+at |SqliteError|node:internal/m)
    if (command[0] === 'doctor') return
    expect(ended).toMatchObject({ code, out: '' })
    expect(ended.err).toMatch(/^[^\n]+\. [^\n]+\.\n$/)
  })
})

test('a dropped audit log is named, with the remedy', async () => {
  const { code, err } = await bobbin(await changed('drop table audit'), 'audit', 'verify')
  expect(code).toBe(1)
  expect(err).toContain('no such table: audit')
  expect(err).toContain('restore bobbin.db from a backup')
})

test('doctor names a table that is missing', async () => {
  const { code, out } = await bobbin(await changed('drop table requests'), 'doctor')
  expect(code).toBe(1)
  expect(out).toContain('the table requests is missing')
})

describe.each([
  ['that is not there', () => scratch()],
  ['that is empty', () => withFile('')],
])('on a database %s', (_, make) => {
  test.each(commands)('%s %s', async (...command) => {
    const ended = await bobbin(await make(), ...command.filter((word) => word !== undefined))
    expect(ended.code).toBe(command[0] === 'doctor' ? 0 : 1)
    expect(ended.out + ended.err).not.toMatch(/^\s+at |SqliteError|node:internal/m)
  })
})
