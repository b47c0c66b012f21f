import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { bobbinHere } from '../commands/support.ts'
import { layDatabase } from '../support/sqlite-template.ts'
import { scratch } from '../support/store.ts'

test('a restore says which tokens and grants hold again that were revoked since, before the bot starts', async () => {
  const dataDir = await scratch()
  await layDatabase(join(dataDir, 'bobbin.db'))
  for (const name of ['lost', 'kept']) await bobbinHere(dataDir, 'token', 'new', name)
  const database = new Sqlite(join(dataDir, 'bobbin.db'))
  database.pragma('foreign_keys = OFF')
  const add = database.prepare(`insert into grants values (?, 'run_command', '[]', 'x', 'tenant', 'ses_1', 'console',
    'local', 'general', 0, ?, ?, '{"id":"ana","name":"Ana"}', 1, null, null, 0)`)
  for (const [id, until] of [['grant_always', null] as const, ['grant_expired', 1] as const]) add.run(id, until, id)
  const archive = join(await scratch(), 'a.tar.gz')
  expect(await bobbinHere(dataDir, 'backup', archive)).toMatchObject({ code: 0 })

  const [lost = ''] = (await bobbinHere(dataDir, 'token', 'list')).out.split(' ')
  expect(await bobbinHere(dataDir, 'token', 'revoke', lost)).toMatchObject({ code: 0 })
  database.exec("update grants set ended_at = 2 where id = 'grant_always'")
  database.close()
  expect((await bobbinHere(dataDir, 'grants')).out).not.toContain('grant_always')

  const there = await scratch()
  const { out } = await bobbinHere(there, 'restore', archive)
  expect(out).toMatch(/^In force as of 20[\d-]+ [\d:]+ UTC, even if revoked later: 2 console tokens and 1 grant\. /m)
  expect((await bobbinHere(there, 'token', 'list')).out).toContain(lost)
  expect((await bobbinHere(there, 'grants')).out).toContain('grant_always')
  expect(await bobbinHere(there, 'token', 'revoke', lost)).toMatchObject({ code: 0 })
})
