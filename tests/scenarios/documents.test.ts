import { rm, writeFile } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import exceljs from 'exceljs'
import JSZip from 'jszip'
import { expect, onTestFinished, test } from 'vitest'
import { makePdf } from '../documents/pdf/make.ts'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { cleaned } from '../support/cleaned.ts'
import { startEmbeddingServer } from '../support/embedding-server.ts'
import { calls, says } from '../support/model-server.ts'
import { until } from '../support/until.ts'

/** Fourteen pages; the twelfth says what is looked for. */
const contract = (sentence = 'The notice period is 41 days.') =>
  makePdf({
    pages: Array.from({ length: 14 }, (_, index) => ({
      texts: [
        { x: 60, y: 80, text: `Clause ${index + 1} is about something else.` },
        ...(index === 11 ? [{ x: 60, y: 120, text: sentence }] : []),
      ],
    })),
  })

async function costs(): Promise<Uint8Array> {
  const workbook = new exceljs.Workbook()
  workbook.addWorksheet('Notes').addRow(['nothing here'])
  const sheet = workbook.addWorksheet('2026')
  sheet.addRows([
    ['Item', 'Amount'],
    ['Paper', 12.5],
    ['Scaffolding', 48_310.5],
  ])
  return new Uint8Array(await workbook.xlsx.writeBuffer())
}

const answered = async (bot: TestBot, text: string, options: Parameters<TestBot['chat']['say']>[1] = {}) => {
  const { conversation, text: answer = '' } = await bot.chat.say(text, options)
  return { conversation, answer }
}

const embeddingAt = (url: string) => ({
  MODEL_EMBEDDING_API_KEY: 'k',
  MODEL_EMBEDDING_BASE_URL: url,
  MODEL_EMBEDDING_ID: 'text-embedding-3-small',
})

test('somebody throws a contract and a workbook into a thread, asks, and gets page and cell', async () => {
  const bot = await startTestBot()
  const files = { 'contract.pdf': contract(), 'costs.xlsx': await costs() }
  const { conversation, answer } = await answered(bot, 'find “notice period” in the files', { files })
  expect(answer).toContain('uploads/contract.pdf, page 12')
  expect(answer).toMatch(/\*\*notice period\*\* is 41 days/)
  const second = await answered(bot, 'find “Scaffolding” in the files', { conversation })
  expect(second.answer).toContain('uploads/costs.xlsx, sheet 2 "2026", cell A3')
  expect(second.answer).toContain('48310.5')
})

test('a contract in a zip is found, and read by its name', async () => {
  const bot = await startTestBot({
    script: ({ messages }) => {
      const last = messages.at(-1)
      if (last?.role === 'tool') return says(String(last.content))
      const isSearch = String(last?.content).includes('search')
      return isSearch
        ? calls('search_file', { query: 'notice period' })
        : calls('read_file', { path: 'uploads/all.zip', part: 'papers/contract.pdf' })
    },
  })
  const zip = new JSZip()
    .file('papers/contract.pdf', contract())
    .file('page.html', '<h1>Other</h1><p>Nothing here.</p>')
  const files = { 'all.zip': await zip.generateAsync({ type: 'uint8array' }) }
  const { conversation, answer } = await answered(bot, 'search', { files })
  expect(answer).toContain('uploads/all.zip, section 13 "papers/contract.pdf: page 12"')
  const second = await answered(bot, 'read', { conversation })
  expect(second.answer).toContain('Clause 1 is about something else.')
  expect(second.answer).not.toContain('Nothing here.')
})

test('a replaced file is found by its new content, and other threads find nothing of it', async () => {
  const bot = await startTestBot({
    script: ({ messages }) => {
      const last = messages.at(-1)
      if (last?.role === 'tool') return says(String(last.content))
      const [, query = ''] = /search (.+)$/.exec(String(last?.content).split('\n')[0] ?? '') ?? []
      return calls('search_file', { query })
    },
  })
  const { conversation } = await answered(bot, 'search 41', { files: { 'contract.pdf': contract() } })
  const other = await answered(bot, 'search notice period')
  expect(other.answer).toContain('Nothing found')
  const root = join(bot.dataDir, 'workspace', conversation)
  await writeFile(join(root, 'uploads/contract.pdf'), contract('The notice period is 90 days now.'))
  const { answer } = await answered(bot, 'search notice period', { conversation })
  expect(answer).toContain('90 days now')
  expect(answer).not.toContain('41 days')
})

test('the index can be deleted at any time', async () => {
  const bot = await startTestBot()
  const { conversation } = await answered(bot, 'find “notice period” in the files', { files: { 'a.pdf': contract() } })
  await bot.stop()
  for (const suffix of ['', '-wal', '-shm']) await rm(join(bot.dataDir, `index.db${suffix}`), { force: true })
  await bot.restart()
  expect((await answered(bot, 'find “notice period” in the files', { conversation })).answer).toContain('page 12')
  await bot.stop()
  await writeFile(join(bot.dataDir, 'index.db'), Buffer.alloc(20_000, 'no database'))
  await bot.restart()
  expect((await answered(bot, 'find “notice period” in the files', { conversation })).answer).toContain('page 12')
})

test('a broken file is named as such, and the other one is found', async () => {
  const bot = await startTestBot()
  const broken = (await costs()).slice(0, 2_000)
  const { answer } = await answered(bot, 'find “notice period” in the files', {
    files: { 'broken.xlsx': broken, 'contract.pdf': contract() },
  })
  expect(answer).toContain('uploads/contract.pdf, page 12')
  expect(answer).toContain('uploads/broken.xlsx could not be searched: It is damaged')
})

test('with an embedding model, an upload is found by its meaning, and what that costs is counted', async () => {
  // Only the passage and the question are about notice.
  const isAbout = (text: string) => /notice|leave early/.test(text)
  const server = await startEmbeddingServer((text) => (isAbout(text) ? [1, 0.1] : [0.1, 1]))
  onTestFinished(() => server.close())
  const bot = await startTestBot({
    environment: embeddingAt(server.url),
    script: ({ messages }) => {
      const last = messages.at(-1)
      if (last?.role === 'tool') return says(String(last.content))
      return String(last?.content).startsWith('hello')
        ? says('Hi.')
        : calls('search_file', { queries: ['leave early'] })
    },
  })
  const files = { 'contract.pdf': contract() }
  const { conversation } = await answered(bot, 'hello', { files })
  await until('its vectors', () => server.requests.length > 0)
  // A stop before they are stored would have them made again.
  await cleaned(bot)
  await bot.restart()
  const { answer } = await answered(bot, 'how can we go?', { conversation })
  expect(answer).toContain('1. uploads/contract.pdf, page 12')
  const pagesSent = server.requests.filter(({ input }) => input.length > 1)
  expect(pagesSent).toHaveLength(1)
  const usage = await fetch(`${bot.chat.url}/api/v1/usage?by=model`)
  expect(await usage.text()).toMatch(/text-embedding-3-small.*embedding/)
})

test('where the library that compares vectors can’t be loaded, documents are found by their words', async () => {
  const server = await startEmbeddingServer(() => [1, 0])
  onTestFinished(() => server.close())
  // This file isn't a library.
  const damaged = registerHooks({
    resolve: (specifier, context, next) =>
      specifier.includes('/vec0.') ? { url: import.meta.url, shortCircuit: true } : next(specifier, context),
  })
  onTestFinished(() => damaged.deregister())
  const bot = await startTestBot({ environment: embeddingAt(server.url) })
  const { answer } = await answered(bot, 'find “notice period” in the files', { files: { 'contract.pdf': contract() } })
  expect(answer).toContain('uploads/contract.pdf, page 12')
})
