import { createHash } from 'node:crypto'
import { expect, onTestFinished, test, vi } from 'vitest'
import { NotPosted } from '../../src/platforms/platform.ts'
import { untilConnected } from '../../src/platforms/until-connected.ts'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { startMemoryBot } from '../support/memory-platform.ts'
import { type RequestBody, says } from '../support/model-server.ts'
import { docx, exe, withMacros, xlsx } from '../workspace/files.ts'

const read = (body: RequestBody | undefined): string =>
  (body?.messages ?? []).map(({ content }) => String(content)).join('\n')

const filesOf = async (bot: TestBot, conversation: string): Promise<string[]> => {
  const found = await bot.chat.get<{ files: { path: string }[] }>(`/agent/conversations/${conversation}/files`)
  return found.files.map(({ path }) => path)
}

test('a program and a disguised file are kept, and reported as such to the model and to people, later too', async () => {
  const bot = await startTestBot({ script: () => says('I see.') })
  const { conversation, events } = await bot.chat.say('look at these', {
    files: {
      'invoice.pdf': exe(),
      'table.docx': await xlsx(),
      'letter.docx': await withMacros(await docx()),
      'fine.docx': await docx(),
    },
  })
  const lines = [
    '- uploads/invoice.pdf (invoice.pdf, application/x-msdownload, 1024 bytes), and it is a program for Windows named like a PDF document: don’t open it.',
    'bytes), and it is a spreadsheet named like a Word document.',
    'bytes), and it is a Word document with macros, which are small programs, named like one without: don’t open it.',
  ]
  for (const line of lines) expect(read(bot.model.requests.at(-1))).toContain(line)
  expect(read(bot.model.requests.at(-1))).toMatch(/- uploads\/fine\.docx \([^)]*bytes\)$/m)
  const warnings = ofType(events, 'warning').map(({ data }) => data.message)
  expect(warnings).toHaveLength(3)
  expect(warnings).toContain('Careful: invoice.pdf is a program for Windows named like a PDF document: don’t open it.')
  expect(await filesOf(bot, conversation)).toContain('uploads/invoice.pdf')

  await bot.restart()
  await bot.chat.say('and now?', { conversation })
  for (const line of lines) expect(read(bot.model.requests.at(-1))).toContain(line)
})

test('a small text is shown to the model at once, UTF-16 only if it says that it is', async () => {
  const bot = await startTestBot({ script: () => says('I see.') })
  const wide = (text: string) => Buffer.from(text, 'utf16le')
  await bot.chat.say('look', { files: { 'a.txt': 'Bäume', 'b.txt': wide('\uFEFFoaks'), 'c.txt': wide('elms') } })
  const asked = read(bot.model.requests.at(-1))
  expect(asked).toContain('<data source="the file uploads/a.txt">\nBäume\n</data>')
  expect(asked).toContain('<data source="the file uploads/b.txt">\noaks\n</data>')
  expect(asked).toContain('- uploads/c.txt (')
  expect(asked).not.toContain('\0')
})

test('names that a disk treats as equal, or refuses, become different names', async () => {
  const bot = await startTestBot({ script: () => says('Thanks.') })
  const names = [
    'Report.csv',
    'report.CSV',
    '\u00fcber.txt',
    'u\u0308ber.txt',
    'CON',
    'nul.txt',
    '.bashrc',
    '-rf.txt',
    'fdp.\u202etxt',
    '../../etc/passwd',
    `${'x'.repeat(400)}.csv`,
  ]
  const { conversation } = await bot.chat.say('all', { files: Object.fromEntries(names.map((name) => [name, name])) })
  const paths = await filesOf(bot, conversation)
  expect(paths.toSorted()).toEqual(
    [
      'Report.csv',
      'report-2.CSV',
      '\u00fcber.txt',
      '\u00fcber-2.txt',
      '_CON',
      '_nul.txt',
      'bashrc',
      'rf.txt',
      'fdp.txt',
      'passwd',
      `${'x'.repeat(196)}.csv`,
    ]
      .map((name) => `uploads/${name}`)
      .toSorted(),
  )
})

test('twenty uploads of one name at once, from two people, all get their own names', async () => {
  const bot = await startMemoryBot({ script: () => says('Thanks.') })
  const { memory } = bot
  const first = await memory.say('ana', '@bobbin here we go')
  await memory.eventually(() => expect(memory.answers(first).length).toBeGreaterThan(0))
  await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      memory.say(at % 2 === 0 ? 'ana' : 'ben', `@bobbin number ${at}`, { in: first, files: { 'data.csv': `${at}` } }),
    ),
  )
  await bot.settled()
  const rows = bot.rows("select path, hash, state from files where direction = 'in'")
  expect(rows).toHaveLength(20)
  expect(new Set(rows.map(({ path }) => path)).size).toBe(20)
  expect(new Set(rows.map(({ hash }) => hash)).size).toBe(20)
  expect(rows.every(({ state }) => state === 'stored')).toBe(true)
})

test('one whose download breaks off in the middle is fetched again, whole', async () => {
  const bot = await startMemoryBot({ script: () => says('Thanks.') })
  const { memory } = bot
  memory.misbehave.cuts = 2
  const asked = await memory.say('ana', '@bobbin look', { files: { 'data.csv': 'a,b\n1,2' } })
  await memory.untilAnswered(asked, 'Thanks.')
  expect(memory.misbehave.callsTo('download')).toHaveLength(3)
  const hash = createHash('sha256').update('a,b\n1,2').digest('hex')
  expect(bot.rows("select state, size, hash from files where direction = 'in'")).toEqual([
    { state: 'stored', size: 7, hash },
  ])
})

test('a notice survives a crash between the file and the message', async () => {
  const bot = await startMemoryBot({ script: () => says('I see.') })
  const { memory } = bot
  const asked = await memory.say('ana', '@bobbin run this', { files: { 'holiday.png': '#!/bin/sh\nrm -r ~\n' } })
  await memory.untilAnswered(asked, 'I see.')
  const notice = 'it is a script for Linux and macOS named like an image: don’t open it'
  expect(bot.rows('select files from messages where files is not null')).toEqual([
    { files: expect.stringContaining(notice) },
  ])
  await bot.crashAs(
    'update calls set state = state',
    "delete from messages where role in ('user', 'assistant')",
    "update inbox set state = 'pending'",
    "update turns set state = 'running', ended_at = null",
  )
  await memory.eventually(() => expect(bot.model.requests).toHaveLength(2))
  expect(read(bot.model.requests.at(-1))).toContain(notice)
  await bot.settled()
})

test('a platform that lets each attempt wait for long is asked once, and one that fails at once again and again', async () => {
  const now = vi.spyOn(performance, 'now')
  onTestFinished(() => now.mockRestore())
  let time = 0
  now.mockImplementation(() => time)
  const attempts = async (eachMs: number) => {
    let asked = 0
    const fail = async () => {
      asked++
      time += eachMs
      throw new NotPosted('later', 'It broke off.', { afterMs: 1 })
    }
    await expect(untilConnected(AbortSignal.timeout(60_000), () => true, fail)).rejects.toThrow('It broke off.')
    return asked
  }
  expect(await attempts(300_000)).toBe(1)
  expect(await attempts(9_999)).toBe(3)
})
