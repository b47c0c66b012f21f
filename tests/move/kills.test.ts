import { readdirSync } from 'node:fs'
import Database from 'better-sqlite3'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { bobbinHere as bobbin, bobbin as bobbinElsewhere } from '../commands/support.ts'
import { openPlace } from '../support/bot-process.ts'
import { atServer, postgresDatabase } from '../support/database.ts'
import { says } from '../support/model-server.ts'
import { changeIn, rowsIn } from '../support/rows.ts'
import { until } from '../support/until.ts'
import { contentOf, launchMove, noteIn, sqliteIn } from './support.ts'

const unfinished =
  /^A move (of this bot to|from) \S+( on \S+)? (into this database )?was begun on \S+ and isn’t finished\. [^\n]+\n$/

/** A stopped bot with a conversation. */
async function stoppedBot() {
  const place = await openPlace({ script: [says('Hello.'), says('Still here.')] })
  const life = await place.start()
  const { conversation } = await life.chat.say('hi')
  life.signal('SIGTERM')
  await life.ended
  return { place, dataDir: place.dataDir, file: sqliteIn(place.dataDir), conversation }
}

/** What a statement locks in a PostgreSQL database stays locked until the function that is returned is called. */
async function held(url: string, statement: string) {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.end().catch(() => {}))
  await client.query('begin')
  await client.query(statement)
  return () => client.query('rollback')
}

/** Keeps everybody else from writing a table, or from reading it as well. */
const blocked = (url: string, table: string, mode: 'exclusive' | 'access exclusive' = 'exclusive') =>
  held(url, `lock table ${table} in ${mode} mode`)

/** Waits until a move has to wait: for a table, or for the end of the transaction that has locked a row. */
const someoneWaits = (url: string, event: 'relation' | 'transactionid' = 'relation') =>
  until('the move to get there', async () => {
    const waiting = `select 1 from pg_stat_activity where wait_event = '${event}' and datname = current_database()`
    return (await atServer(url, waiting)).length > 0
  })

/** Killed when it gets to the messages. */
async function killedMove(url: string, launch: () => ReturnType<typeof launchMove>, mode?: 'access exclusive') {
  const release = await blocked(url, 'messages', mode)
  const move = launch()
  await someoneWaits(url)
  move.signal('SIGKILL')
  await move.ended
  await release()
}

async function refusesToStart(dataDir: string, environment: Record<string, string> = {}) {
  const { code, err } = await bobbinElsewhere(dataDir, 'start', environment)
  expect(err).toMatch(unfinished)
  expect(code).toBe(1)
}

test('killed in the middle: the target is empty and says so, the source is as it was, and the same move can be run again', async () => {
  const { place, dataDir, file, conversation } = await stoppedBot()
  const [url, before] = [await postgresDatabase(), contentOf(file)]
  await killedMove(url, () => launchMove(dataDir, url))
  expect(contentOf(file)).toEqual(before)
  expect(Object.values(contentOf(url)).flat()).toEqual([])
  await refusesToStart(dataDir)
  await refusesToStart(dataDir, { DATABASE_URL: url, BOBBIN_NODE: 'one' })
  const elsewhere = await bobbin(dataDir, 'move', '--to', await postgresDatabase())
  expect(elsewhere.err).toMatch(unfinished)

  expect(await bobbin(dataDir, 'move', '--to', url)).toMatchObject({ code: 0 })
  expect(contentOf(url)).toEqual(before)
  const there = await openPlace({
    environment: {
      DATABASE_URL: url,
      BOBBIN_NODE: 'one',
      BOBBIN_DATA_DIR: dataDir,
      MODEL_BASE_BASE_URL: place.model.url,
    },
  })
  expect((await (await there.start()).chat.say('and?', { conversation })).text).toBe('Still here.')
})

test('killed in the middle, the bot can also stay where it was', async () => {
  const { place, dataDir, conversation } = await stoppedBot()
  const url = await postgresDatabase()
  await killedMove(url, () => launchMove(dataDir, url))
  expect((await bobbin(dataDir, 'move', '--undo')).code).toBe(0)
  expect((await (await place.start()).chat.say('and?', { conversation })).text).toBe('Still here.')
})

test('killed when everything was there, but not yet said: neither starts, and running it again finishes it', async () => {
  const { dataDir, file } = await stoppedBot()
  const [url, before] = [await postgresDatabase(), contentOf(file)]
  const release = await blocked(url, 'messages')
  const move = launchMove(dataDir, url)
  await someoneWaits(url)
  // Each sign of life waits for whoever writes in the source, and the move with it: so nobody does before the last step.
  const noteIsKept = await held(url, "select 1 from notes where name = 'store.move' for update")
  await release()
  await someoneWaits(url, 'transactionid')
  const writer = new Database(file)
  writer.exec('begin immediate')
  await noteIsKept()
  await until('the target to be complete', () => noteIn(url)?.includes('"filled"'))
  move.signal('SIGKILL')
  await move.ended
  writer.close()
  expect(noteIn(file)).toContain('"leaving"')
  await refusesToStart(dataDir)
  await refusesToStart(dataDir, { DATABASE_URL: url, BOBBIN_NODE: 'one' })

  const again = await bobbin(dataDir, 'move', '--to', url)
  expect(again.out).toContain('1 session and 2 messages')
  expect(contentOf(url)).toEqual(before)
  expect([noteIn(file), noteIn(url)]).toEqual([expect.stringContaining('"left"'), undefined])
})

test('told to stop when everything was there: if the rest fails, that is said, and not that nothing was moved', async () => {
  const { dataDir, file } = await stoppedBot()
  const url = await postgresDatabase()
  changeIn(
    file,
    `create trigger refusing before update on notes when new.value like '%"left"%'
     begin select raise(abort, 'not today'); end`,
  )
  const release = await blocked(url, 'messages')
  const move = launchMove(dataDir, url)
  await someoneWaits(url)
  const noteIsKept = await held(url, "select 1 from notes where name = 'store.move' for update")
  await release()
  await someoneWaits(url, 'transactionid')
  move.signal('SIGTERM')
  await noteIsKept()
  expect(await move.ended).toBe(1)
  expect(move.said()).toContain('not today')
  expect(move.said()).not.toContain('Nothing was moved')
  expect(noteIn(url)).toContain('"filled"')
})

test('killed on the way back: the same', async () => {
  const { dataDir, file } = await stoppedBot()
  const [url, before] = [await postgresDatabase(), contentOf(file)]
  const environment = { DATABASE_URL: url, BOBBIN_NODE: 'one' }
  await bobbin(dataDir, 'move', '--to', url)
  await killedMove(url, () => launchMove(dataDir, 'sqlite', environment), 'access exclusive')
  expect(contentOf(url)).toEqual(before)
  expect(Object.values(contentOf(file)).flat()).toEqual([])
  await refusesToStart(dataDir)
  await refusesToStart(dataDir, environment)
  const putAway = readdirSync(dataDir).find((name) => name.includes('.moved-')) ?? 'none'
  const again = await bobbin(dataDir, 'move', '--to', 'sqlite', environment)
  expect(again).toMatchObject({ code: 0, out: expect.stringContaining(putAway) })
  expect(contentOf(file)).toEqual(before)
})

test('told to stop in the middle, and cut off from the target: both are as before', async () => {
  const { dataDir, file } = await stoppedBot()
  const [url, before] = [await postgresDatabase(), contentOf(file)]
  for (const end of ['stop', 'cut'] as const) {
    const release = await blocked(url, 'inbox')
    const move = launchMove(dataDir, url)
    await someoneWaits(url)
    if (end === 'stop') {
      move.signal('SIGTERM')
      await release()
    } else {
      await atServer(
        url,
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
      await release()
    }
    expect(await move.ended).toBe(1)
    expect(move.said()).toContain(end === 'stop' ? 'The move was stopped. Nothing was moved.' : 'can’t be reached')
    expect(contentOf(file)).toEqual(before)
    for (const place of [file, url]) {
      expect(noteIn(place)).toBeUndefined()
      expect(rowsIn(place, 'select * from locks')).toEqual([])
    }
  }
  expect(await bobbin(dataDir, 'move', '--to', url)).toMatchObject({ code: 0 })
})
