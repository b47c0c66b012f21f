import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { cleaned } from '../support/cleaned.ts'
import type { SayOptions } from '../support/client.ts'
import { calls, hang, type RequestBody, says } from '../support/model-server.ts'
import { changeIn } from '../support/rows.ts'
import { eventually } from '../support/until.ts'

const day = 86_400_000
const files = { 'a.txt': 'hello' }

const filesOf = async (bot: TestBot, conversation: string): Promise<string[]> => {
  const found = await bot.chat.get<{ files: { path: string }[] }>(`/agent/conversations/${conversation}/files`)
  return found.files.map(({ path }) => path)
}

async function command(bot: TestBot, text: string, options: SayOptions = {}): Promise<string> {
  const { conversation, events } = await bot.chat.say(text, options)
  const answer = await bot.chat.until(
    conversation,
    // An answer of a turn may be posted below the command.
    ({ type, data }) => type === 'message' && data.role === 'assistant' && data.turn_id === undefined,
    events[0]?.event_id,
  )
  return answer.type === 'message' ? answer.data.text : ''
}

const read = (body: RequestBody | undefined): string =>
  (body?.messages ?? []).map(({ content }) => String(content)).join('\n')

/** A bot for which days pass. */
async function startOld(script: Parameters<typeof startTestBot>[0]) {
  let passed = 0
  const bot = await startTestBot({ ...script, clock: { now: () => Date.now() + passed } })
  return Object.assign(bot, {
    async pass(ms: number) {
      // An answer that is posted later counts as use, and a job that ends wakes those that are due.
      await cleaned(bot)
      passed += ms
    },
  })
}

test('it removes idle files by itself, says so when asked, and tells the model once', async () => {
  const bot = await startOld({ script: () => says('Yes.') })
  const { conversation } = await bot.chat.say('keep this', { files: { ...files, 'b.txt': 'two' } })
  const fresh = (await bot.chat.say('and this', { files })).conversation
  await bot.pass(6 * day)
  await bot.chat.say('still in use', { conversation: fresh })
  await bot.restart()
  await bot.pass(2 * day)
  await bot.restart()
  await eventually(async () => expect(await filesOf(bot, conversation)).toEqual([]))
  expect(await filesOf(bot, fresh)).toEqual(['uploads/a.txt'])

  expect(await command(bot, '/files', { conversation })).toMatch(
    /^There are no files in this thread\. 2 files were removed on \d+ \w+ \d{4}, because nobody had used this thread for 7 days\.$/,
  )
  await bot.chat.say('go on', { conversation, files: { 'new.txt': 'three' } })
  const told = /\[The program\] 2 files were removed on/g
  expect(read(bot.model.requests.at(-1)).match(told)).toHaveLength(1)
  await bot.chat.say('and on', { conversation })
  expect(read(bot.model.requests.at(-1)).match(told)).toHaveLength(1)
  expect(await command(bot, '/files', { conversation })).toMatch(
    /^The files of this thread:\n- `uploads\/new\.txt` \(5 bytes\)\n\n\(2 files were removed on .*\)$/,
  )
})

test('a thread whose time zone this Node doesn’t know is answered after its files were removed', async () => {
  const bot = await startOld({ script: () => says('Yes.') })
  const { conversation } = await bot.chat.say('keep this', { files })
  changeIn(bot.database, "update sessions set time_zone = 'Mars/Olympus'")
  await bot.pass(8 * day)
  await bot.restart()
  await eventually(async () => expect(await filesOf(bot, conversation)).toEqual([]))
  expect((await bot.chat.say('go on', { conversation })).text).toBe('Yes.')
  expect(read(bot.model.requests.at(-1))).toContain('[The program] One file was removed on')
})

test('a thread without files is not reported as cleaned', async () => {
  const bot = await startOld({ script: () => says('Yes.') })
  const { conversation } = await bot.chat.say('only words')
  await bot.pass(8 * day)
  expect(await command(bot, '/clean')).toContain('Nothing to clean up')
  expect(await command(bot, '/files', { conversation })).toBe('There are no files in this thread yet.')
  await bot.chat.say('more words', { conversation })
  expect(read(bot.model.requests.at(-1))).not.toContain('were removed on')
})

test('nothing is removed while a turn runs, an approval waits, or a repeating alarm is set', async () => {
  const bot = await startOld({
    config: {
      // The hourly job would clean before the command does.
      engine: { clockMs: 3_600_000 },
      rules: {
        tools: { write_file: { approvals: true, mode: 'confirm', risk: 'medium', reason: 'a test' } },
      },
    },
    script: ({ messages }) => {
      const last = String(messages.at(-1)?.content)
      if (last.includes('run for ever')) return hang(2)
      if (last.includes('write it')) return calls('write_file', { path: 'outputs/x', content: 'x' })
      if (last.includes('every month')) return calls('alarm_set', { cron: '0 9 1 1 *', message: 'tea' })
      return says('Yes.')
    },
  })
  const running = await bot.chat.send('run for ever', { files })
  const [asked, reminded, idle] = [
    (await bot.chat.say('write it', { files })).conversation,
    (await bot.chat.say('every month', { files })).conversation,
    (await bot.chat.say('idle', { files })).conversation,
  ]
  const runs = running.headers.get('x-conversation-id') ?? ''
  await bot.chat.untilType(runs, 'text_delta')
  await bot.pass(8 * day)
  expect(await command(bot, '/clean')).toMatch(/^I removed the files of one thread/)
  for (const one of [runs, asked, reminded]) expect(await filesOf(bot, one)).toEqual(['uploads/a.txt'])
  expect(await filesOf(bot, idle)).toEqual([])
  await running.body?.cancel()
})

test('an unread file from a stopped turn is still there after a cleaning', async () => {
  const bot = await startOld({
    script: (_, number) => (number === 0 ? hang(2) : says('Read.')),
  })
  const running = await bot.chat.send('run for ever')
  const conversation = running.headers.get('x-conversation-id') ?? ''
  await bot.chat.untilType(conversation, 'text_delta')
  const second = await bot.chat.send('take this too', { conversation, files })
  await command(bot, '/stop', { conversation })
  await Promise.all([running.body?.cancel(), second.body?.cancel()])
  await bot.pass(8 * day)
  await command(bot, '/clean')
  expect((await bot.chat.say('now', { conversation })).text).toBe('Read.')
  expect(await filesOf(bot, conversation)).toEqual(['uploads/a.txt'])
  expect(read(bot.model.requests.at(-1))).toContain('uploads/a.txt (a.txt, text/plain, 5 bytes)')
})

test('what a crash left of a cleaning is removed at the next start', async () => {
  const bot = await startOld({ script: () => says('Yes.') })
  const { conversation } = await bot.chat.say('keep this', { files })
  await bot.stop()
  const root = join(bot.dataDir, 'workspace')
  await mkdir(join(root, `.removed-${conversation}-0123456789ab/uploads`), { recursive: true })
  await bot.restart()
  await eventually(async () => expect(await readdir(root)).toEqual([conversation]))
  expect(await filesOf(bot, conversation)).toEqual(['uploads/a.txt'])
})
