import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import JSZip from 'jszip'
import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { calls, says } from '../support/model-server.ts'
import { scratch } from '../support/store.ts'
import { bobbinHere as bobbin } from './support.ts'

test('export writes a thread while the bot runs: as Markdown, or with its files', async () => {
  const bot = await startTestBot({
    script: [calls('write_file', { path: 'outputs/a.txt', content: 'one' }), says('\u001b[31mDone.')],
  })
  const { conversation: id } = await bot.chat.say('Write a file')
  const markdown = await bobbin(bot.dataDir, 'export', id)
  expect(markdown).toMatchObject({ code: 0, err: '' })
  expect(markdown.out).toMatch(/^# Write a file\n.*## Bobbin.*Done\./s)
  expect(JSON.parse((await bobbin(bot.dataDir, 'export', id, '--format', 'json')).out).thread.id).toBe(id)

  const file = join(await scratch(), 'thread.zip')
  const written = await bobbin(bot.dataDir, 'export', id, '--format', 'zip', '--out', file)
  expect(written).toMatchObject({ code: 0, err: `The thread is in ${file}.\n` })
  const zip = await JSZip.loadAsync(await readFile(file))
  expect(await zip.file('files/outputs/a.txt')?.async('string')).toBe('one')
  const again = await bobbin(bot.dataDir, 'export', id, '--out', file)
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('already exists')])
})

test('export says which thread or format there isn’t', async () => {
  const bot = await startTestBot({ script: [says('Yes.')] })
  const { conversation: id } = await bot.chat.say('Hello')
  expect((await bobbin(bot.dataDir, 'export', 'ses_none')).err).toContain('There is no thread "ses_none"')
  expect((await bobbin(bot.dataDir, 'export', id, '--format', 'pdf')).code).toBe(2)
  expect((await bobbin(bot.dataDir, 'export')).code).toBe(2)
})
