import { expect, test } from 'vitest'
import { deleteOld } from '../../src/store/retention.ts'
import { bobbinHere } from '../commands/support.ts'
import { startTestBot } from '../support/bot.ts'
import { cleaned } from '../support/cleaned.ts'
import { type Client, ofType } from '../support/client.ts'
import { calls, type RequestBody, type ScriptedReply, says } from '../support/model-server.ts'
import { changeIn, rowsIn } from '../support/rows.ts'
import { openStore } from '../support/store.ts'
import { eventually } from '../support/until.ts'

const day = 86_400_000

function script({ messages }: RequestBody): ScriptedReply {
  const last = messages.at(-1)
  if (last?.role === 'tool') return says('It is written, as you asked me to do.')
  const text = JSON.stringify(last?.content)
  if (text.includes('ask')) return calls('ask_human', { question: 'Which?', options: ['Red', 'Blue'] })
  return calls('write_file', { path: 'outputs/a.txt', content: text })
}

async function startOld() {
  let passed = 0
  const clock = { now: () => Date.now() + passed }
  const bot = await startTestBot({ script, clock, config: { rules: { approvals: false } } })
  return Object.assign(bot, {
    async pass(days: number) {
      await bot.stop()
      passed += days * day
      await bot.restart()
    },
  })
}

const typesOf = async (chat: Client, conversation: string) =>
  new Set((await chat.events(conversation)).map(({ type }) => type))

test('after its time a turn keeps what was said, and what still waits keeps everything', async () => {
  const bot = await startOld()
  const old = await bot.chat.say('write one')
  await cleaned(bot)
  await bot.chat.say('write two', { conversation: old.conversation })
  const asking = await bot.chat.send('ask me')
  void asking.body?.cancel()
  const waiting = asking.headers.get('x-conversation-id') ?? ''
  await bot.chat.untilType(waiting, 'question_asked')
  const before = await bot.chat.events(waiting)
  expect(await typesOf(bot.chat, old.conversation)).toContain('observe')

  await bot.pass(364)
  expect(await typesOf(bot.chat, old.conversation)).toContain('observe')
  await bot.pass(2)
  await eventually(async () => expect(await typesOf(bot.chat, old.conversation)).not.toContain('observe'))
  const kept = await bot.chat.events(old.conversation)
  const last_sequence = kept.at(-1)?.event_id
  expect(await bot.chat.get(`/agent/conversations/${old.conversation}`)).toMatchObject({ last_sequence })
  expect(ofType(kept, 'message').map(({ data }) => data.text)).toEqual([
    'write one',
    'It is written, as you asked me to do.',
    'write two',
    'It is written, as you asked me to do.',
  ])
  expect(ofType(kept, 'complete').map(({ data }) => data.content)[0]).toBe('It is written, as you asked me to do.')
  await eventually(async () => expect(rowsIn(bot.database, 'select 1 from changes')).toHaveLength(1))
  await eventually(async () =>
    expect(rowsIn(bot.database, `select 1 from outbox where session_id = '${old.conversation}'`)).toEqual([]),
  )

  // The thread goes on, and so does the one that waited for a year.
  expect((await bot.chat.say('write three', { conversation: old.conversation })).text).toContain('It is written')
  expect((await bot.chat.events(waiting)).slice(0, before.length)).toEqual(before)
  const [request] = await bot.chat.requests()
  expect((await bot.chat.answer(request?.id ?? '', { answer: 'Blue', user_id: 'ana' })).status).toBe(200)
  await bot.chat.untilType(waiting, 'complete')
  expect((await bobbinHere(bot.dataDir, 'audit', 'verify', environmentOf(bot.database))).out).toContain('is intact')
})

const environmentOf = (database: string): Record<string, string> =>
  database.startsWith('postgres') ? { DATABASE_URL: database, BOBBIN_NODE: 'two' } : {}

test('prune --dry-run says what would go and deletes nothing; prune deletes it while the bot runs', async () => {
  const bot = await startTestBot({ script, config: { rules: { approvals: false } } })
  const { conversation } = await bot.chat.say('write one', { files: { 'a.txt': 'a'.repeat(1_000) } })
  // It would delete what is made old here.
  await cleaned(bot)
  const year = 400 * day
  changeIn(
    bot.database,
    `update events set created_at = created_at - ${year}`,
    `update outbox set created_at = created_at - ${year}`,
    `update sessions set created_at = created_at - ${year}, updated_at = updated_at - ${year}`,
  )
  const details = () => rowsIn(bot.database, "select 1 from events where type in ('act', 'observe', 'text_end')").length
  const had = details()
  expect(had).toBeGreaterThan(0)
  const dry = await bobbinHere(bot.dataDir, 'prune', '--dry-run', environmentOf(bot.database))
  expect(dry).toMatchObject({ code: 0, err: '' })
  expect(dry.out).toMatch(/^ +[4-9] +[\d.]+ kB {2}steps of old turns \(keep\.event_days\)$/m)
  expect(dry.out).toMatch(/^ +1 +[\d.]+ kB {2}threads with files/m)
  expect(dry.out).toMatch(/This would free about [\d.]+ kB\. Nothing was deleted\.\n$/)
  expect(details()).toBe(had)

  const real = await bobbinHere(bot.dataDir, 'prune', environmentOf(bot.database))
  expect(real.out).toContain('Deleted: about')
  expect(details()).toBe(0)
  const again = await bobbinHere(bot.dataDir, 'prune', '--dry-run', environmentOf(bot.database))
  expect(again.out).toContain('This would free about 0 bytes.')
  expect((await bot.chat.say('write two', { conversation })).text).toContain('It is written')
  expect((await bobbinHere(bot.dataDir, 'prune', '--all', environmentOf(bot.database))).err).toContain('Usage: prune')
})

test('a great deal is deleted in many small transactions', async () => {
  const store = await openStore()
  const rows = Array.from({ length: 1_250 }, (_, number) => ({
    dedup_key: `key-${number}`,
    ...{ platform: 'slack', tenant: 'T', project: 'C', thread: '1', message: '1', person: '{}', reason: 'x' },
    ...{ ignored_at: number < 1_240 ? 1 : 10, overheard: 0 },
  }))
  for (let first = 0; first < rows.length; first += 250)
    await store.transaction(async ({ db }) => {
      await db
        .insertInto('ignored')
        .values(rows.slice(first, first + 250))
        .execute()
    })
  const writes = store.availability.writes
  expect(await deleteOld(store, 'ignored', 5)).toBe(1_240)
  expect(store.availability.writes - writes).toBe(3)
  expect(await store.db.selectFrom('ignored').select('dedup_key').execute()).toHaveLength(10)
})
