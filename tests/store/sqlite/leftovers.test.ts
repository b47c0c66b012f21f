import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newId } from '../../../src/domain/ids.ts'
import { eraseSession, markDeleted } from '../../../src/store/delete-session.ts'
import { appendEvents } from '../../../src/store/events.ts'
import { appendMessage } from '../../../src/store/messages.ts'
import { copySqlite } from '../../../src/store/sqlite/copy.ts'
import { Store } from '../../../src/store/store.ts'
import { newPlace, newSession, scratch } from '../../support/store.ts'

/** Threads whose messages were said in turns, so that they share pages. */
async function talking(store: Store) {
  const sessions = [await newSession(store, 'a'), await newSession(store, 'b'), await newSession(store, 'c')]
  await store.transaction(async (tx) => {
    for (const { id } of sessions)
      await sql`insert into turns (id, session_id, inbox_seq, state, person, time_zone, started_at)
        values (${`turn_${id}`}, ${id}, 1, 'done', '{}', 'UTC', 1)`.execute(tx.db)
    for (let number = 1; number <= 200; number++)
      for (const [index, { id }] of sessions.entries()) {
        const text = `${'zyzzyva'.repeat(number % 40 === 0 ? 300 : 1 + (number % 13))} in ${index}.`
        await appendMessage(tx, id, { role: 'assistant', turn: `turn_${id}`, text, calls: [] })
        const said = { role: 'assistant' as const, text, files: [], message_id: newId('msg') }
        await appendEvents(tx, id, [{ type: 'message', data: said }])
      }
  })
  return sessions.map(({ id }) => id)
}

test('what was said in an erased thread is nowhere in the file', async () => {
  const place = await newPlace()
  let now = 1_000
  const store = await Store.open(place, { now: () => now })
  const [, session] = await talking(store)
  if (session === undefined) throw new Error('there is no thread')
  now++
  await store.transaction((tx) => markDeleted(tx, session))
  await store.transaction((tx) => eraseSession(tx, { session }))
  // This also puts what is in the log into the file.
  await store.close()
  const bytes = await readFile(place)
  expect(bytes.includes('zyzzyva in 0.')).toBe(true)
  expect(bytes.includes('zyzzyva in 1.')).toBe(false)
})

test('a backup of a database in which deleted content was not overwritten is free of it', async () => {
  const place = await newPlace()
  const store = await Store.open(place, { now: () => 1_000 })
  const [, session] = await talking(store)
  await store.close()
  const older = new Sqlite(place)
  older.prepare('delete from messages where session_id = ?').run(session)
  older.prepare('delete from events where session_id = ?').run(session)
  older.close()
  expect((await readFile(place)).includes('zyzzyva in 1.')).toBe(true)

  const copy = join(await scratch(), 'copy.db')
  copySqlite(place, copy)
  const bytes = await readFile(copy)
  expect(bytes.includes('zyzzyva in 0.')).toBe(true)
  expect(bytes.includes('zyzzyva in 1.')).toBe(false)
})
