import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { bobbinHere } from '../commands/support.ts'
import { startTestBot } from '../support/bot.ts'
import { calls, says } from '../support/model-server.ts'
import { eventually } from '../support/until.ts'

test('logs prints what happened in a thread, an event a line, and follows it while the bot runs', async () => {
  const bot = await startTestBot({
    script: [calls('list_files', {}), says('Nothing there.\nAt all.'), says('Still nothing.')],
  })
  const { conversation } = await bot.chat.say('what is here?')
  await bot.chat.untilPosted(conversation)
  const { out } = await bobbinHere(bot.dataDir, 'logs', conversation)
  expect(out).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}message +operator: what is here\?$/m)
  expect(out).toMatch(/ {2}act +· list_files$/m)
  expect(out).toMatch(/ {2}observe +list_files done: /m)
  expect(out).toMatch(/ {2}text_end +Nothing there\. At all\.$/m)
  const { out: lines } = await bobbinHere(bot.dataDir, 'logs', conversation, '--json')
  const events = await bot.chat.events(conversation)
  expect(
    lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(events)

  const env = { PATH: process.env.PATH, BOBBIN_HOME: bot.dataDir, BOBBIN_DATA_DIR: bot.dataDir }
  const following = spawn(process.execPath, ['src/bin.js', 'logs', conversation, '-f'], { env })
  onTestFinished(() => void following.kill('SIGKILL'))
  let followed = ''
  following.stdout.on('data', (piece) => {
    followed += piece
  })
  await eventually(() => expect(followed).toContain('Nothing there.'))
  await bot.chat.say('and now?', { conversation })
  await eventually(() => expect(followed).toContain('Still nothing.'))
  following.kill('SIGINT')
  await once(following, 'exit')
})

test('a thread that is not there is named', async () => {
  const bot = await startTestBot()
  expect(await bobbinHere(bot.dataDir, 'logs', 'ses_0')).toMatchObject({
    code: 1,
    err: expect.stringContaining('ses_0'),
  })
})
