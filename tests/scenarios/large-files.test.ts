import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import exceljs from 'exceljs'
import JSZip from 'jszip'
import { expect, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { openPlace } from '../support/bot-process.ts'
import { calls, type ModelScript, says } from '../support/model-server.ts'
import { until } from '../support/until.ts'

// Documents that are read in portions.

/** Calls the tool that a message names, `search_file {"query": "…"}`, and says what came of it. */
const obedient: ModelScript = ({ messages }) => {
  const last = messages.at(-1)
  if (last?.role === 'tool') return says(String(last.content))
  const [, name = '', input = '{}'] = /(\w+_\w+) (\{.*\})/.exec(String(last?.content)) ?? []
  return name === '' ? says('Fine.') : calls(name, JSON.parse(input))
}

const orders = (rows: number): string =>
  [
    'order,customer,amount',
    ...Array.from({ length: rows }, (_, index) => `${index + 1},"Meyer, of the harbour",${index % 97}`),
    `${rows + 1},Quagga and sons,12`,
  ].join('\n')

/** Rows of the index's tables. */
function counts(dataDir: string): { parts: number; chunks: number; begun: number; whole: number; words: number } {
  const database = new Sqlite(join(dataDir, 'index.db'), { readonly: true })
  const count = (query: string): number => Number(database.prepare(query).pluck().get())
  try {
    return {
      parts: count('SELECT count(*) FROM parts'),
      chunks: count('SELECT count(*) FROM chunks'),
      begun: count("SELECT count(*) FROM documents WHERE state = 'making'"),
      whole: count("SELECT count(*) FROM documents WHERE state = 'ready'"),
      words: count("SELECT count(*) FROM terms WHERE terms MATCH 'order'"),
    }
  } catch {
    return { parts: 0, chunks: 0, begun: 0, whole: 0, words: 0 }
  } finally {
    database.close()
  }
}

test('a CSV may have more text than other documents, and all of it is in the index', async () => {
  const limits = { text_characters: 10_000, table_characters: 1_000_000 }
  const bot = await startTestBot({ script: obedient, config: { sections: { documents: limits } } })
  const { text, conversation } = await bot.chat.say('search_file {"query": "quagga"}', {
    files: { 'orders.csv': orders(8000) },
  })
  expect(text).toContain('1. uploads/orders.csv, sheet 1, cell B8002')
  expect(text).toContain('| 8002 | 8001 | **Quagga** and sons | 12 |')
  expect(text).not.toContain('too large')
  const read = await bot.chat.say('read_file {"path": "uploads/orders.csv"}', { conversation })
  expect(read.text).toContain('8,002 rows and 3 columns, separated by commas.')
  expect(read.text).not.toContain('left out')
})

test('the last row of a long sheet is found, with its cell', async () => {
  const bot = await startTestBot({ script: obedient })
  const workbook = new exceljs.Workbook()
  const lines = orders(12_000).split('\n')
  workbook.addWorksheet('Orders').addRows(lines.map((line) => [...line.split(',', 2), 'a sentence of some length']))
  workbook.addWorksheet('Other').addRow(['nothing here'])
  const { text } = await bot.chat.say('search_file {"query": "quagga"}', {
    files: { 'orders.xlsx': new Uint8Array(await workbook.xlsx.writeBuffer()) },
  })
  expect(text).toContain('1. uploads/orders.xlsx, sheet 1 "Orders", cell B12002')
  expect(text).toContain('| 1 | order | customer | a sentence of some length |')
})

/** A workbook with the same rows as the CSV, all of them texts. */
function workbook(csv: string): Promise<Uint8Array> {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const rows = csv.split('\n').map((line) => {
    const cells = line.match(/"[^"]*"|[^,]+/g) ?? []
    return `<row>${cells.map((cell) => `<c t="str"><v>${cell.replaceAll('"', '')}</v></c>`).join('')}</row>`
  })
  const relation = (type: string, target: string) =>
    `<Relationships><Relationship Id="r" Type="${office}/${type}" Target="${target}"/></Relationships>`
  return new JSZip()
    .file('[Content_Types].xml', '<Types/>')
    .file('_rels/.rels', relation('officeDocument', 'xl/workbook.xml'))
    .file(
      'xl/workbook.xml',
      `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Orders" sheetId="1" r:id="r"/></sheets></workbook>`,
    )
    .file('xl/_rels/workbook.xml.rels', relation('worksheet', 'worksheets/sheet1.xml'))
    .file('xl/worksheets/sheet1.xml', `<worksheet xmlns="${main}"><sheetData>${rows.join('')}</sheetData></worksheet>`)
    .generateAsync({ type: 'uint8array', compression: 'DEFLATE', compressionOptions: { level: 1 } })
}

/** Kills the first process that has so many chunks in its index. Nobody outside would see that in time, on a busy machine. */
const killer = `
  import { existsSync, writeFileSync } from 'node:fs'
  import Sqlite from ${JSON.stringify(import.meta.resolve('better-sqlite3'))}
  const file = process.env.BOBBIN_DATA_DIR + '/index.db'
  const mark = import.meta.dirname + '/killed'
  const chunks = () => {
    const database = new Sqlite(file, { readonly: true })
    try {
      return database.prepare('SELECT count(*) FROM chunks').pluck().get()
    } catch {
      return 0
    } finally {
      database.close()
    }
  }
  const look = () => {
    if (!existsSync(file) || chunks() <= 500) return
    writeFileSync(mark, '')
    process.kill(process.pid, 'SIGKILL')
  }
  export default () => {
    if (!existsSync(mark)) setInterval(look, 1).unref()
    return { name: 'killer' }
  }`

test.each([
  ['a CSV', 'orders.csv', async () => orders(40_000)],
  ['a workbook', 'orders.xlsx', () => workbook(orders(40_000))],
])('a process that is killed when half of %s is in its index leaves one whole', async (_, name, made) => {
  const place = await openPlace({ script: obedient, plugin: killer })
  const first = await place.start()
  const response = await first.chat.send('hello', { files: { [name]: await made() } })
  const conversation = response.headers.get('x-conversation-id') ?? ''
  void response.text().catch(() => {})
  expect(await first.ended).toBe('SIGKILL')
  expect(counts(place.dataDir)).toMatchObject({ parts: 1, begun: 1, whole: 0 })
  const { chat } = await place.start()
  await until('the whole', () => counts(place.dataDir).whole === 1)
  await until('the rest of the first to go', () => counts(place.dataDir).begun === 0)
  const { text } = await chat.say('search_file {"query": "quagga"}', { conversation })
  expect(text).toContain('cell B40002')
  const { parts, chunks, words } = counts(place.dataDir)
  expect(parts).toBe(1)
  // Each has the header's words.
  expect(words).toBe(chunks)
})
