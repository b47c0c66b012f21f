import { open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { type Life, openPlace, type Place } from '../support/bot-process.ts'
import { says } from '../support/model-server.ts'
import { eventually } from '../support/until.ts'

const missing = 'Something is missing'

const databaseOf = async (life: Life): Promise<{ ok: boolean; detail: string }> =>
  ((await (await fetch(`${life.chat.url}/health`)).json()) as { database: { ok: boolean; detail: string } }).database

/** Killed when something was said, and the end of the database was marked. */
async function killed(place: Place): Promise<void> {
  const life = await place.start()
  await life.chat.say('hello')
  await eventually(() => stat(join(place.dataDir, 'bobbin.db.last')))
  life.signal('SIGKILL')
  await life.ended
}

test('a deleted write-ahead log is reported in log and health; a kill alone, or a lost mark, is not', async () => {
  const place = await openPlace({ script: () => says('Yes.') })
  await killed(place)
  await killed(place)
  await rm(join(place.dataDir, 'bobbin.db.last'))
  const whole = await place.start()
  expect((await databaseOf(whole)).ok).toBe(true)
  expect(whole.said()).not.toContain(missing)
  await eventually(() => stat(join(place.dataDir, 'bobbin.db.last')))
  whole.signal('SIGKILL')
  await whole.ended

  for (const ending of ['-wal', '-shm']) await rm(join(place.dataDir, `bobbin.db${ending}`), { force: true })
  const behind = await place.start()
  await eventually(() => expect(behind.said()).toContain(missing))
  expect(await databaseOf(behind)).toMatchObject({ ok: false, detail: expect.stringContaining(missing) })
})

test('a damaged page is found in the background', async () => {
  const place = await openPlace({ script: () => says('Yes.') })
  const first = await place.start()
  await first.chat.say('hello')
  first.signal('SIGTERM')
  await first.ended
  const file = join(place.dataDir, 'bobbin.db')
  const database = new Sqlite(file)
  const page = database.prepare("select rootpage from sqlite_master where name = 'audit_by_kind'").pluck().get()
  const pageBytes = Number(database.pragma('page_size', { simple: true }))
  database.close()
  const handle = await open(file, 'r+')
  await handle.write(Buffer.alloc(64, 0xa5), 0, 64, (Number(page) - 1) * pageBytes + 3)
  await handle.close()
  const second = await place.start()
  await eventually(() => expect(second.said()).toContain('The database is damaged'))
  expect((await databaseOf(second)).ok).toBe(false)
})
