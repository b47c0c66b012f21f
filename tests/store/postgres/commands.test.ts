import { expect, test } from 'vitest'
import { bobbinHere as bobbin, bobbin as bobbinElsewhere } from '../../commands/support.ts'
import { startTestBot } from '../../support/bot.ts'
import { atServer, postgresDatabase } from '../../support/database.ts'
import { says } from '../../support/model-server.ts'
import { careful } from '../../support/postgres.ts'
import { scratch } from '../../support/store.ts'

test('the command line looks into the database that the bot runs on', async () => {
  // The command line takes for gone whoever hasn’t beaten for ten seconds.
  const bot = await startTestBot({ script: [says('Hello.')], config: { engine: { silentMs: 10_000 } } })
  const { conversation } = await bot.chat.say('hi')
  const environment = { DATABASE_URL: bot.database, BOBBIN_NODE: 'one' }
  const run = (...args: string[]) => bobbin(bot.dataDir, ...args, environment)
  expect((await run('sessions')).out).toContain(`${conversation}  `)
  expect((await run('audit', 'verify')).out).toContain('The audit log is intact')
  const { out } = await run('doctor')
  expect(out).toContain('The database is sound and holds 1 session.')
  expect(out).toContain('A bot runs on it now')
  const { err } = await bobbinElsewhere(bot.dataDir, 'start', environment)
  expect(err).toContain('Another Bobbin is running')
})

test('doctor reports a database that a start refuses', async () => {
  const dataDir = await scratch()
  const said = async (url: string) => {
    const { code, out } = await bobbin(dataDir, 'doctor', { DATABASE_URL: url, BOBBIN_NODE: 'one' })
    expect(code).toBe(1)
    return out
  }
  const url = await postgresDatabase()
  await atServer(url, `insert into kysely_migration (name, timestamp) values ('999-from-tomorrow', '2030-01-01')`)
  const newer = await said(url)
  expect(newer).toMatch(/✗ The database belongs to a newer version of Bobbin: .*\n {6}Start that version/)
  expect(newer).not.toContain('The database is sound')
  await atServer(url, "create database latin2 encoding 'LATIN1' locale 'C' locale_provider libc template template0")
  const latin = new URL(url)
  latin.pathname = '/latin2'
  expect(await said(latin.href)).toMatch(/✗ .*LATIN1.*\n {6}.*UTF8/)
})

test('a database that refuses is one sentence, without its password', async () => {
  const url = new URL(await postgresDatabase('empty'))
  url.searchParams.set('user', careful.user)
  url.searchParams.set('password', 'a-wrong-one-77')
  const dataDir = await scratch()
  const environment = { DATABASE_URL: url.href, BOBBIN_NODE: 'one' }
  for (const command of ['start', 'sessions']) {
    const run = command === 'start' ? bobbinElsewhere : bobbin
    const { code, err } = await run(dataDir, command, environment)
    expect(code).toBe(1)
    expect(err.trim()).toMatch(
      /^PostgreSQL refuses the user or the password in DATABASE_URL\. [^\n]*, then try again\.$/,
    )
  }
  const { out } = await bobbin(dataDir, 'doctor', environment)
  expect(out).toContain('✗ PostgreSQL refuses the user or the password in DATABASE_URL.')
  expect(out).not.toContain('a-wrong-one-77')
  const { err } = await bobbinElsewhere(dataDir, 'start', { DATABASE_URL: 'mysql://localhost/bobbin' })
  expect(err).toContain('DATABASE_URL isn’t the address of a PostgreSQL database')
})
