import { join } from 'node:path'
import { expect, test } from 'vitest'
import { insertIgnored } from '../../src/store/ignored.ts'
import { Store } from '../../src/store/store.ts'
import { ignoredIn } from '../support/ignored.ts'
import { layDatabase } from '../support/sqlite-template.ts'
import { scratch } from '../support/store.ts'
import { inSlack } from '../support/threads.ts'
import { bobbinHere as bobbin } from './support.ts'

async function dataWithReasons(): Promise<string> {
  const directory = await scratch()
  const store = await Store.open(`${directory}/bobbin.db`, { now: () => Date.UTC(2026, 0, 2, 3, 4) })
  await store.transaction(async (tx) => {
    await insertIgnored(tx, ignoredIn(inSlack(), '1700000000.123456', 'It doesn’t mention the bot.'))
    const discord = { platform: 'discord', tenant: '1', project: '2' }
    await insertIgnored(
      tx,
      ignoredIn(discord, '1234567890123456789', 'It’s addressed to somebody else.', 'Ben\u0007 Okri'),
    )
  })
  await store.close()
  return directory
}

const slackLine = '2026-01-02 03:04 UTC  slack/T1/C1  1700000000.123456  Ana: It doesn’t mention the bot.\n'
const discordLine =
  '2026-01-02 03:04 UTC  discord/1/2  1234567890123456789  Ben Okri: It’s addressed to somebody else.\n'

test('why names the latest reasons, each on its line', async () => {
  const { code, out } = await bobbin(await dataWithReasons(), 'why')
  expect([code, out.split(/(?<=\n)/).toSorted()]).toEqual([0, [discordLine, slackLine]])
})

test.each([
  ['a link of Slack', 'https://acme.slack.com/archives/C1/p1700000000123456', slackLine],
  [
    'a link into a thread of Slack',
    'https://acme.slack.com/archives/C1/p1700000000123456?thread_ts=1699999999.000100&cid=C1',
    slackLine,
  ],
  ['Slack’s own id', '1700000000.123456', slackLine],
  ['a link of Discord', 'https://discord.com/channels/1/2/1234567890123456789', discordLine],
  ['Discord’s own id', '1234567890123456789', discordLine],
])('why finds a message by %s', async (_, named, line) => {
  expect((await bobbin(await dataWithReasons(), 'why', named)).out).toBe(line)
})

test('why says what it may mean that nothing is known', async () => {
  const unknown = await bobbin(await dataWithReasons(), 'why', '1800000000.000001')
  expect(unknown).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^No reason is stored for message 1800000000\.000001: .*14 days/),
  })
  const dataDir = await scratch()
  await layDatabase(join(dataDir, 'bobbin.db'))
  expect((await bobbin(dataDir, 'why')).out).toBe('No message was ignored recently.\n')
})

test('why accepts one message, and help lists it', async () => {
  const directory = await scratch()
  expect(await bobbin(directory, 'why', 'a', 'b')).toMatchObject({
    code: 2,
    err: 'Usage: why [message id or link].\n',
  })
  expect((await bobbin(directory, 'help')).out).toMatch(/^ {2}why \[message\] +says why/m)
})
