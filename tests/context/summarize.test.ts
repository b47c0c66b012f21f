import ExcelJS from 'exceljs'
import { PDFDocument } from 'pdf-lib'
import { expect, test } from 'vitest'
import type { Capability } from '../../src/turn/port/capability.ts'
import { startTestBot } from '../support/bot.ts'
import { calls, heldUntil, type RequestBody, says, status } from '../support/model-server.ts'
import { rowsIn } from '../support/rows.ts'
import { until } from '../support/until.ts'

const isPiece = ({ messages }: RequestBody): boolean => `${messages[0]?.content}`.startsWith('You summarise')
const textIn = ({ messages }: RequestBody): string => `${messages.at(-1)?.content}`

const small = { sections: { context: { tokens: 10_000 } } }

/** About eleven pieces. */
const book = Array.from({ length: 400 }, (_, line) => `Line ${line}: ${'nothing of note happened. '.repeat(3)}`)
  .with(250, 'Line 250: The treasure is under the lighthouse.')
  .join('\n')

const summary = (body: RequestBody) =>
  says(textIn(body).includes('under the lighthouse') ? 'The treasure is under the lighthouse.' : 'Nothing of note.')

const steps = (body: RequestBody) =>
  body.messages.at(-1)?.role === 'tool' ? says('Done.') : calls('summarize', { path: 'uploads/book.txt' })

test('a long file is summarised in pieces, each within what the model reads', async () => {
  const bot = await startTestBot({ script: (body) => (isPiece(body) ? summary(body) : steps(body)), config: small })
  await bot.chat.say('What is it about?', { files: { 'book.txt': book } })
  const asked = bot.model.requests.filter(isPiece)
  expect(asked.length).toBeGreaterThan(5)
  for (const body of asked) expect(textIn(body).length).toBeLessThanOrEqual(5_904)
  const result = `${bot.model.requests.at(-1)?.messages.at(-1)?.content}`
  expect(result).toContain('The treasure is under the lighthouse.')
  expect(result).toContain('a summary of the file uploads/book.txt')
})

test('of a workbook, a summary is told which sheets are hidden', async () => {
  const made = new ExcelJS.Workbook()
  made.addWorksheet('Plan').addRow(['Autumn'])
  made.addWorksheet('Salaries', { state: 'hidden' }).addRow(['Ana'])
  const bot = await startTestBot({
    script: (body) => {
      if (isPiece(body)) return summary(body)
      return body.messages.at(-1)?.role === 'tool' ? says('Done.') : calls('summarize', { path: 'uploads/a.xlsx' })
    },
    config: small,
  })
  await bot.chat.say('What is it about?', { files: { 'a.xlsx': Buffer.from(await made.xlsx.writeBuffer()) } })
  const text = bot.model.requests.filter(isPiece).map(textIn).join('')
  expect(text).toContain('[sheet 1]')
  expect(text).toContain('[sheet 2, hidden]')
})

test('the pieces are within what the base model reads, even where another model answers', async () => {
  const bot = await startTestBot({
    script: (body) => (isPiece(body) ? summary(body) : steps(body)),
    environment: {
      ...{ MODEL_BASE_CONTEXT: '10000', MODEL_BASE_OUTPUT: '4096' },
      ...{ MODEL_REASONING_ID: 'thinker', MODEL_REASONING_CONTEXT: '64000' },
    },
  })
  const { conversation } = await bot.chat.say('begin')
  await bot.chat.say('use reasoning', { conversation })
  await bot.chat.say('What is it about?', { conversation, files: { 'book.txt': book } })
  const asked = bot.model.requests.filter(isPiece)
  expect(asked.length).toBeGreaterThan(5)
  for (const body of asked) expect(textIn(body).length).toBeLessThanOrEqual(5_904)
})

test('of a text that is too long only the beginning is summarised, as the tool and its result say', async () => {
  const turn = [calls('load_tools', { names: ['summarize'] }), calls('summarize', { path: 'uploads/book.txt' })]
  const bot = await startTestBot({
    script: (body) => (isPiece(body) ? summary(body) : (turn.shift() ?? says('Done.'))),
    config: { sections: { context: { tokens: 10_000, summarize_pieces: 3 } } },
  })
  await bot.chat.say('What is it about?', { files: { 'book.txt': book } })
  const pieces = bot.model.requests.filter(isPiece).map(textIn)
  expect(pieces.filter((text) => text.includes('Line '))).toHaveLength(3)
  const { tools, messages } = bot.model.requests.at(-1) ?? {}
  expect(`${messages?.at(-1)?.content}`).toContain('[Only the beginning was summarised')
  const { description } = tools?.find((tool) => tool.function.name === 'summarize')?.function ?? {}
  expect(description).toContain('only the beginning of a very long one is read, and the summary says so')
})

/** What the model gets as a summary of this file. */
async function summaryOf(name: string, content: string | Uint8Array, settings = {}) {
  const turn = [calls('summarize', { path: `uploads/${name}` })]
  const bot = await startTestBot({
    script: (body) => (isPiece(body) ? summary(body) : (turn.shift() ?? says('Done.'))),
    config: { sections: settings },
  })
  await bot.chat.say('What is it about?', { files: { [name]: content } })
  return `${bot.model.requests.at(-1)?.messages.at(-1)?.content}`
}

test('of a line that is too long, a summary says that its end wasn’t read', async () => {
  expect(await summaryOf('export.json', `{"all": "${'x'.repeat(1_100_000)}"}`)).toContain(
    'Nothing of note.\n\n[Of a line that is too long, only the beginning was read.]',
  )
  expect(await summaryOf('short.json', '{"all": "x"}')).not.toContain('[')
})

test('a summary has the reader’s notes about what it couldn’t read', async () => {
  const rows = Array.from({ length: 50 }, (_, row) => `${row};${'word '.repeat(40)}`).join('\n')
  const documents = { table_characters: 1_000, text_characters: 1_000 }
  expect(await summaryOf('long.csv', rows, { documents })).toMatch(/\n\n\[.*was left out\.\]/)
  const scan = await PDFDocument.create()
  scan.addPage()
  expect(await summaryOf('scan.pdf', await scan.save())).toContain(
    'There is no text in it.\n\n[Page 1 has no text: it is probably scanned.',
  )
})

/** A workbook with so many sheets, of which the last is empty. */
async function workbook(sheets: number) {
  const made = new ExcelJS.Workbook()
  for (let at = 1; at < sheets; at++)
    made.addWorksheet(`The figures of department ${at}`).addRow(['word '.repeat(20), 1])
  made.addWorksheet('Empty')
  return Buffer.from(await made.xlsx.writeBuffer())
}

test('an empty sheet is no page that couldn’t be read, and of many sheets a summary says what was left out', async () => {
  expect(await summaryOf('small.xlsx', await workbook(3))).not.toContain('[')
  const documents = { table_characters: 1_000, text_characters: 1_000 }
  expect(await summaryOf('large.xlsx', await workbook(40), { documents })).toMatch(/\n\n\[.*was left out\.\]/)
})

test('after a restart it goes on behind the last piece, and nothing is summarised twice', async () => {
  const gate = Promise.withResolvers<void>()
  const fourth = Promise.withResolvers<void>()
  let pieces = 0
  const bot = await startTestBot({
    script: (body) => {
      if (!isPiece(body)) return steps(body)
      if (pieces++ !== 3) return summary(body)
      fourth.resolve()
      return heldUntil(gate.promise, summary(body))
    },
    config: small,
  })
  const said = await bot.chat.send('What is it about?', { files: { 'book.txt': book } })
  const conversation = said.headers.get('x-conversation-id') ?? ''
  await fourth.promise
  await bot.restart()
  gate.resolve()
  await bot.chat.untilType(conversation, 'complete')
  const texts = bot.model.requests.filter(isPiece).map(textIn)
  // Only the one that was under way was asked for again.
  expect(texts.length - new Set(texts).size).toBe(1)
})

test('its result is kept until the end of its call is stored, however often the bot is restarted before that', async () => {
  const held = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let ends = 0
  const holding: Capability = {
    name: 'holding',
    callDone({ tool }) {
      const reached = tool === 'summarize' ? held[ends++] : undefined
      if (reached === undefined) return undefined
      reached.resolve()
      return new Promise(() => {})
    },
  }
  const bot = await startTestBot({
    script: (body) => (isPiece(body) ? summary(body) : steps(body)),
    config: small,
    plugins: [holding],
  })
  const jobs = (where = '1 = 1') => rowsIn(bot.database, `select state from jobs where kind = 'summarize' and ${where}`)
  const said = await bot.chat.send('What is it about?', { files: { 'book.txt': book } })
  const conversation = said.headers.get('x-conversation-id') ?? ''
  for (const { promise } of held) {
    await promise
    await until(
      'the job to rest',
      async () => (await jobs(`holder is not null or due_at <= ${Date.now()}`)).length === 0,
    )
    expect(await jobs()).toHaveLength(1)
    await bot.restart()
  }
  await bot.chat.untilType(conversation, 'complete')
  expect(`${bot.model.requests.at(-1)?.messages.at(-1)?.content}`).toContain('The treasure is under the lighthouse.')
  const texts = bot.model.requests.filter(isPiece).map(textIn)
  expect(new Set(texts).size).toBe(texts.length)
  expect(await jobs()).toEqual([])
})

test('a summary that the model doesn’t get to the end of isn’t taken for a whole one', async () => {
  const turn = [calls('summarize', { path: 'uploads/short.txt' })]
  const bot = await startTestBot({
    script: (body) => (isPiece(body) ? { ...says('It begins'), finish: 'length' } : (turn.shift() ?? says('Done.'))),
  })
  await bot.chat.say('What is it about?', { files: { 'short.txt': 'Nothing happened.' } })
  const result = `${bot.model.requests.at(-1)?.messages.at(-1)?.content}`
  expect(result).toContain('couldn’t be summarised: The model reached its output limit before it was done')
})

test('what can’t be summarised is told to the model', async () => {
  const bot = await startTestBot({
    script: (body) => (isPiece(body) ? status(400, { message: 'no' }) : steps(body)),
    config: small,
  })
  await bot.chat.say('What is it about?')
  expect(`${bot.model.requests.at(-1)?.messages.at(-1)?.content}`).toContain('is not a file')
})
