import { readdirSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/kit/clock.ts'
import { writeMark } from '../../src/store/sqlite/mark-file.ts'
import { Store } from '../../src/store/store.ts'
import { moveBot } from '../../src/wiring/move.ts'
import { bobbinHere as bobbin, bobbin as bobbinElsewhere } from '../commands/support.ts'
import { startTestBot } from '../support/bot.ts'
import { openPlace } from '../support/bot-process.ts'
import { atServer, postgresDatabase } from '../support/database.ts'
import { hang, says } from '../support/model-server.ts'
import { changeIn, rowsIn } from '../support/rows.ts'
import { newSession, scratch } from '../support/store.ts'
import { until } from '../support/until.ts'
import { contentOf, moveHere, noteIn, silentMs, sqliteIn, startOnSqlite } from './support.ts'

test('a bot that runs is not moved, on either database; one sentence says so', async () => {
  const url = await postgresDatabase()
  const onSqlite = await startOnSqlite({ script: [says('Hello.')] })
  await onSqlite.chat.say('hi')
  const { code, err } = await bobbinElsewhere(onSqlite.dataDir, 'move', '--to', url)
  expect(code).toBe(1)
  expect(err).toMatch(
    /^Bobbin is running on \S+bobbin\.db \(process \d+ on \S+\)\. Stop it, then try again\. Nothing was moved\.\n$/,
  )
  expect(noteIn(sqliteIn(onSqlite.dataDir))).toBeUndefined()

  const onPostgres = await startTestBot({ script: [says('Hello.')] })
  const environment = { DATABASE_URL: onPostgres.database }
  const dataDir = await scratch()
  expect((await bobbinElsewhere(dataDir, 'move', '--to', 'sqlite', environment)).err).toContain(
    'Bobbin is running on test_',
  )
  // Nor is anything moved into the database of one that runs.
  await onSqlite.stop()
  expect((await bobbinElsewhere(onSqlite.dataDir, 'move', '--to', onPostgres.database)).err).toContain(
    'Bobbin is running on test_',
  )
  expect((await onPostgres.chat.say('hi')).text).toBe('Hello.')
})

test('a target with content, a missing source, the same place and odd words are refused, and nothing changes', async () => {
  const { dataDir, stop, chat } = await startOnSqlite({ script: [says('Hello.')] })
  await chat.say('hi')
  await stop()
  const url = await postgresDatabase()
  const other = await Store.open(url, systemClock)
  await newSession(other)
  await other.close()
  const [here, there] = [contentOf(sqliteIn(dataDir)), contentOf(url)]
  const full = await bobbin(dataDir, 'move', '--to', url)
  expect(full).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^The database test_\w+ on \S+ isn’t empty\. [^\n]+\n$/),
  })
  expect(contentOf(sqliteIn(dataDir))).toEqual(here)
  expect(contentOf(url)).toEqual(there)
  for (const place of [sqliteIn(dataDir), url]) {
    expect(noteIn(place)).toBeUndefined()
    expect(rowsIn(place, 'select * from locks')).toEqual([])
  }
  expect((await bobbin(dataDir, 'move', '--to', 'sqlite')).err).toContain('The bot is on')
  expect((await bobbin(await scratch(), 'move', '--to', url)).err).toContain('There is no database at')
  expect((await bobbin(dataDir, 'move', '--undo')).err).toContain('wasn’t moved anywhere')
  for (const args of [[], ['--to', 'mysql://x/y'], ['--to', 'sqlite', '--undo'], ['--form', 'x']])
    expect(await bobbin(dataDir, 'move', ...args)).toMatchObject({
      code: 2,
      err: expect.stringContaining('Usage: move'),
    })
})

test('a target that can’t store every text is refused as what --to says', async () => {
  const { dataDir, stop } = await startOnSqlite({ script: [] })
  await stop()
  const url = new URL(await postgresDatabase('empty'))
  await atServer(
    url.href,
    "create database latin3 encoding 'LATIN1' locale 'C' locale_provider libc template template0",
  )
  url.pathname = '/latin3'
  const { code, err } = await bobbin(dataDir, 'move', '--to', url.href)
  expect(code).toBe(1)
  expect(err).toMatch(/^The database in --to has the encoding LATIN1\. [^\n]+ --to\.\n$/)
})

test.each([
  ['--to', 'postgres://bobbin:sec#ret@db/bobbin', '%23 stands for #'],
  ['--to', 'postgres:/bobbin:secret@db/bobbin', 'It looks like postgres://'],
  ['--to', 'postgres://bobbin:sec%ret@db/bobbin', 'Write a % in the password as %25'],
  ['--to=sqlite', 'postgres://bobbin:secret@db/bobbin', 'Give either'],
])('an address with a slip (%s %s) is refused in a sentence, without its password', async (option, address, remedy) => {
  const { code, err } = await bobbin(await scratch(), 'move', option, address)
  expect([code, err]).toEqual([2, expect.stringContaining(remedy)])
  expect(err).not.toMatch(/sec.?ret|\n./)
})

test('what was moved does not start, says where it is, and starts again after --undo', async () => {
  const place = await openPlace({ script: [says('Hello.'), says('Again.')] })
  const life = await place.start()
  await life.chat.say('hi')
  life.signal('SIGTERM')
  await life.ended
  await bobbin(place.dataDir, 'token', 'new')
  const url = await postgresDatabase()
  const { out } = await bobbin(place.dataDir, 'move', '--to', url)
  expect(out).toMatch(/^Moved from \S+bobbin\.db to test_\w+ on \S+: 1 session and 2 messages; \d+ rows/)
  expect(out).toContain('Next: set DATABASE_URL')

  const moved = /^This bot was moved to test_\w+ on \S+ on 20\d\d-\d\d-\d\d, so it no longer starts here\. [^\n]+\n$/
  const refused = place.launch()
  expect(await refused.ended).toBe(1)
  expect(refused.said()).toMatch(moved)
  const doctor = await bobbin(place.dataDir, 'doctor')
  expect([doctor.code, doctor.out]).toEqual([1, expect.stringContaining('✗ This bot was moved to test_')])
  expect((await bobbin(place.dataDir, 'move', '--to', url)).err).toMatch(moved)
  expect((await bobbin(place.dataDir, 'move', '--to', await postgresDatabase())).err).toMatch(moved)
  expect((await bobbin(place.dataDir, 'sessions')).out).toContain('1 turn ')

  const undone = await bobbin(place.dataDir, 'move', '--undo')
  expect(undone.out).toMatch(
    /^The bot can start here again\. .*\nIn force as of 20\d\d-.* UTC, even if revoked later: 1 console token and 0 grants\. /,
  )
  const again = await place.start()
  expect((await again.chat.say('hi')).text).toBe('Again.')
  expect(again.said()).not.toContain('older than')
})

test('commands that change something refuse what was moved away, until --undo', async () => {
  const { dataDir, stop, chat } = await startOnSqlite({ script: [says('Hello.')] })
  await chat.say('hi')
  await stop()
  const [file, configDir] = [sqliteIn(dataDir), await scratch()]
  const compositions = { greet: { description: 'Greets.', steps: [{ tool: 'list_files' }] } }
  await writeFile(join(configDir, 'compositions.yaml'), JSON.stringify({ compositions }))
  const environment = { BOBBIN_CONFIG_DIR: configDir }
  await moveHere(file, await postgresDatabase())
  const before = contentOf(file)
  const changes = ['prune', 'prune --dry-run', 'token new', 'token revoke token_1', 'compositions improve greet --undo']
  for (const change of changes)
    expect(await bobbin(dataDir, ...change.split(' '), environment)).toMatchObject({
      code: 1,
      err: expect.stringContaining('This bot was moved to test_'),
    })
  expect(contentOf(file)).toEqual(before)
  expect((await bobbin(dataDir, 'token', 'list', environment)).code).toBe(0)
  await bobbin(dataDir, 'move', '--undo')
  for (const change of changes.filter((one) => !one.includes('revoke')))
    expect(await bobbin(dataDir, ...change.split(' '), environment)).toMatchObject({ code: 0 })
})

test('a frozen process keeps its bot from being moved; on another machine it writes nothing when it wakes up', async () => {
  const place = await openPlace({ script: [hang(1), says('Too late.')], settings: { engine: { silent_ms: 1_000 } } })
  const life = await place.start()
  const response = await life.chat.send('go')
  await life.chat.untilType(response.headers.get('x-conversation-id') ?? '', 'start')
  const [file, url] = [sqliteIn(place.dataDir), await postgresDatabase()]
  await until('its jobs', () => rowsIn(file, 'select 1 from jobs where holder is not null').length === 0)
  await until('a freeze that is not in the middle of a write', async () => {
    life.signal('SIGSTOP')
    const { code } = await moveHere(file, url).then(
      () => ({ code: 'moved' }),
      (thrown) => thrown,
    )
    if (code === 'database_busy') life.signal('SIGCONT')
    else expect(code).toBe('already_running')
    return code !== 'database_busy'
  })
  changeIn(file, "update locks set host = 'elsewhere'")
  await moveHere(file, url)
  const before = contentOf(file)
  life.signal('SIGCONT')
  expect(await life.ended).toBe(1)
  expect(life.said()).toContain('Another Bobbin has taken over.')
  expect(contentOf(file)).toEqual(before)
  expect(contentOf(url)).toEqual(before)
  await response.body?.cancel().catch(() => {})
})

test('a move that is stopped leaves what an earlier move left in its place', async () => {
  const { dataDir, stop, chat } = await startOnSqlite({ script: [says('Hello.')] })
  await chat.say('hi')
  await stop()
  const [from, to] = [sqliteIn(dataDir), await postgresDatabase()]
  await moveHere(from, to)
  const [left, content] = [noteIn(from), contentOf(from)]
  const names = () => readdirSync(dataDir).filter((name) => name.includes('.moved-'))
  const stopped = AbortSignal.abort(new Error('stopped'))
  await expect(moveBot({ from: to, to: from, silentMs, signal: stopped })).rejects.toThrow('stopped')
  expect([names(), noteIn(from), contentOf(from)]).toEqual([[], left, content])
  expect(noteIn(to)).toBeUndefined()
  const { putAway } = await moveHere(to, from)
  expect(putAway).toContain('.moved-')
  expect(contentOf(from)).toEqual(content)
})

test('the mark beside the database is known to the database that came back', async () => {
  const { dataDir, stop, chat } = await startOnSqlite({ script: [says('Hello.')] })
  await chat.say('hi')
  await stop()
  const [file, url] = [sqliteIn(dataDir), await postgresDatabase()]
  await moveHere(file, url)
  await bobbin(dataDir, 'move', '--undo')
  // The one that stayed here has gone further than the one that comes back.
  changeIn(file, "update notes set value = '40' where name = 'store.mark'")
  writeMark(file, 40)
  await rename(file, `${file}.old`)
  await moveHere(url, file)
  const { out } = await bobbin(dataDir, 'doctor')
  expect(out).toContain('The database is sound')
  expect(out).not.toContain('older than')
})
