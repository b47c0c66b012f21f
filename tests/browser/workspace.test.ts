import { mkdir, open, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { Document, HeadingLevel, Packer, Paragraph } from 'docx'
import ExcelJS from 'exceljs'
import { PDFDocument, rgb, StandardFonts } from 'pdf-lib'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { picture, shownText, useBrowser, withoutBrowser } from '../support/browser.ts'
import { calls, says } from '../support/model-server.ts'

const openPage = useBrowser()

const csv = `region,amount,note\n${Array.from({ length: 40 }, (_, row) => `Region ${row},${(row + 1) * 1250},"a, b"`).join('\n')}\n`
const plan = '# Plan\n\nWe sell more in the **east**.\n\n- hire\n- train\n\n<img src=x onerror="document.title=1">\n'

async function pdfOf(pages: string[]): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.Helvetica)
  for (const text of pages) {
    const page = document.addPage([420, 560])
    page.drawRectangle({ x: 40, y: 470, width: 340, height: 50, color: rgb(0.1, 0.45, 0.45) })
    page.drawText(text, { x: 54, y: 488, size: 20, font, color: rgb(1, 1, 1) })
    page.drawText('Figures of the quarter, by region.', { x: 40, y: 430, size: 12, font })
  }
  return document.save()
}

/** A PNG of one colour. */
function pngOf(width: number, height: number): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data])
    const out = Buffer.alloc(body.length + 8)
    out.writeUInt32BE(data.length)
    body.copy(out, 4)
    out.writeUInt32BE(crc32(body), body.length + 4)
    return out
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const line = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from([40, 120, 120]))])
  const data = deflateSync(Buffer.concat(Array.from({ length: height }, () => line)))
  const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([magic, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

async function docxOf(): Promise<Uint8Array> {
  const children = [
    new Paragraph({ text: 'Terms of delivery', heading: HeadingLevel.HEADING_1 }),
    new Paragraph('Everything is sent within a week.'),
  ]
  return Packer.toBuffer(new Document({ sections: [{ children }] }))
}

async function xlsxOf(): Promise<Uint8Array> {
  const book = new ExcelJS.Workbook()
  book.addWorksheet('Sales').addRows([
    ['Region', 'Amount'],
    ['North', 120],
  ])
  book.addWorksheet('Costs').addRows([['Rent', 900]])
  return new Uint8Array(await book.xlsx.writeBuffer())
}

const summary = (text: string) => calls('write_file', { path: 'outputs/summary.md', content: text })

/** Opens a thread in which ana sent files and the bot wrote some. */
async function openThread(files: Record<string, string | Uint8Array>, look: { width?: number; dark?: boolean } = {}) {
  const bot = await startTestBot({
    script: [summary(plan), says('See outputs/summary.md.'), summary(`${plan}\nMore.\n`), says('Changed.')],
  })
  const { conversation } = await bot.chat.say('Summarise these, please', { files, user: 'ana' })
  const page = await openPage(`${bot.chat.url}/#/general/${conversation}`, look)
  const refused: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) refused.push(message.text())
  })
  await page.getByText('See outputs/summary.md.').waitFor()
  return { bot, conversation, page, refused }
}

const drawer = (page: Page) => page.getByRole('dialog', { name: /^Files/ })
const row = (page: Page, name: string) => drawer(page).locator('.tree-row', { hasText: name })
const openFile = async (page: Page, name: string) => {
  await row(page, name).first().click()
  await drawer(page).getByRole('heading', { name }).waitFor()
}
const canvasOf = (page: Page) => page.evaluate<string>('document.querySelector(".pdf-paper canvas").toDataURL()')
const shown = (page: Page) => drawer(page).getByRole('region', { name: 'Content' })

async function onDisk(bot: TestBot, conversation: string, path: string, content: string | Uint8Array): Promise<void> {
  const file = join(bot.dataDir, 'workspace', conversation, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
}

describe.skipIf(withoutBrowser)('the files of a thread (need chromium)', () => {
  test('are listed, previewed and downloaded', async () => {
    const { page, refused } = await openThread({
      'sales.csv': csv,
      'plan.md': plan,
      'notes.txt': 'first line\n\tsecond <b>line</b>\n',
      'logo.png': pngOf(160, 90),
      'report.pdf': await pdfOf(['First page', 'Second page']),
    })
    await page.getByRole('button', { name: 'Files (6)' }).waitFor()
    await picture(page, 'workspace-thread')
    await page.getByRole('button', { name: 'Files (6)' }).click()
    expect(await drawer(page).locator('.tree-row.folder').allInnerTexts()).toEqual(['outputs\n1', 'uploads\n5'])
    await picture(page, 'workspace-list')

    await openFile(page, 'notes.txt')
    expect(await shown(page).getByLabel('Text').innerText()).toBe('first line\n\tsecond <b>line</b>\n')
    expect(await shown(page).locator('.line-numbers').innerText()).toBe('1\n2')

    await openFile(page, 'sales.csv')
    await shown(page).getByRole('columnheader', { name: 'amount' }).waitFor()
    expect(await shown(page).getByRole('row').nth(2).innerText()).toBe('2\tRegion 1\t2500\ta, b')
    await picture(page, 'workspace-table')
    await drawer(page).getByRole('button', { name: 'Text', exact: true }).click()
    await shown(page).getByText('region,amount,note').waitFor()

    await openFile(page, 'plan.md')
    await shown(page).getByRole('heading', { name: 'Plan' }).waitFor()
    expect(await shown(page).locator('img').count()).toBe(0)
    await drawer(page).getByRole('button', { name: 'Source' }).click()
    await shown(page).getByText('# Plan').waitFor()

    await openFile(page, 'logo.png')
    await shown(page).getByText('160 × 90 pixels').waitFor()
    expect(await shown(page).getByRole('img').getAttribute('src')).toMatch(/^blob:/)

    await openFile(page, 'report.pdf')
    await shown(page).getByRole('img', { name: 'Page 1 of 2' }).waitFor()
    await picture(page, 'workspace-pdf')
    const first = await canvasOf(page)
    await shown(page).getByRole('button', { name: 'Next page' }).click()
    await shown(page).getByRole('img', { name: 'Page 2 of 2' }).waitFor()
    expect(await canvasOf(page)).not.toEqual(first)
    expect(await shown(page).getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true)

    await drawer(page).getByRole('button', { name: 'Text', exact: true }).click()
    await shown(page).getByText('Figures of the quarter').waitFor()

    const download = page.waitForEvent('download')
    await drawer(page).getByRole('link', { name: 'Download report.pdf' }).click()
    expect((await readFile(await (await download).path())).subarray(0, 5).toString()).toBe('%PDF-')
    await page.keyboard.press('Escape')
    await drawer(page).waitFor({ state: 'hidden' })
    expect(refused).toEqual([])
  })

  test('are shown if they are PDFs whose worker couldn’t be loaded once', async () => {
    const { page } = await openThread({ 'report.pdf': await pdfOf(['First page']), 'notes.txt': 'first line' })
    await page.route('**/vendor/pdf-worker.js', (route) => route.abort())
    await page.getByRole('button', { name: 'Files (3)' }).click()
    await openFile(page, 'report.pdf')
    await shown(page).getByText('It can’t be shown here.').waitFor()
    await page.unroute('**/vendor/pdf-worker.js')
    await openFile(page, 'notes.txt')
    await openFile(page, 'report.pdf')
    await shown(page).getByRole('img', { name: 'Page 1 of 1' }).waitFor()
  })

  test('are shown as text when they are documents', async () => {
    const { page } = await openThread({ 'terms.docx': await docxOf(), 'book.xlsx': await xlsxOf() })
    await page.getByRole('button', { name: 'Files (3)' }).click()
    await openFile(page, 'terms.docx')
    await shown(page).getByRole('heading', { name: 'Terms of delivery' }).waitFor()
    await shown(page).getByText('Everything is sent within a week.').waitFor()

    await openFile(page, 'book.xlsx')
    await shown(page).getByRole('cell', { name: '120' }).waitFor()
    expect(await shown(page).getByRole('columnheader').allInnerTexts()).toEqual(['Row', 'A', 'B'])
    await picture(page, 'workspace-sheet')
    await drawer(page).getByLabel('Part of the document').selectOption('Sheet 2: Costs')
    await shown(page).getByRole('cell', { name: '900' }).waitFor()
    expect(await drawer(page).getByRole('button', { name: 'Next' }).isDisabled()).toBe(true)
  })

  test('show which turn changed them, with a link to it, and the list stays up to date', async () => {
    const { bot, conversation, page } = await openThread({ 'plan.md': plan }, { dark: true })
    await page.getByRole('button', { name: 'Files (2)' }).click()
    await openFile(page, 'summary.md')
    await drawer(page).getByText('Added in the turn of').waitFor()
    await onDisk(bot, conversation, 'temp/work.txt', 'x')
    await bot.chat.say('Once more', { conversation, user: 'ben' })
    await drawer(page).getByText('Changed in the turn of').waitFor()
    await shown(page).getByText('More.').waitFor()
    await row(page, 'work.txt').waitFor()

    await drawer(page).getByRole('button', { name: 'By turn' }).click()
    const turns = drawer(page).locator('.file-turns > li')
    expect(await turns.count()).toBe(2)
    expect((await shownText(turns.nth(0))).replace(/\s+/g, ' ')).toMatch(
      /^ben, \S+( [AP]M)? ~ Changed outputs\/summary\.md \+ Added temp\/work\.txt$/,
    )
    await picture(page, 'workspace-turns')
    await turns.nth(1).getByRole('button', { name: /^ana,/ }).click()
    await drawer(page).waitFor({ state: 'hidden' })
    await page.locator('article.message:focus', { hasText: 'Summarise these, please' }).waitFor()

    // The end of a turn lists the files it changed, which open from there.
    await page.locator('.turn-files').last().getByRole('button', { name: 'Added work.txt' }).click()
    await drawer(page).getByRole('heading', { name: 'work.txt' }).waitFor()
  })

  test('can be reached by keyboard alone, also on a narrow screen', async () => {
    const { bot, conversation, page } = await openThread({ 'a.txt': 'A', 'b.txt': 'B' }, { width: 400 })
    await onDisk(bot, conversation, `temp/${'deep/'.repeat(20)}end.txt`, 'the end')
    await page.reload()
    const opener = page.getByRole('button', { name: 'Files (4)' })
    await opener.press('Enter')
    await drawer(page).waitFor()
    await page.keyboard.press('Escape')
    await drawer(page).waitFor({ state: 'hidden' })
    await page.locator('.files-button:focus').waitFor()
    await picture(page, 'workspace-narrow-thread')
    await page.keyboard.press('w')
    await drawer(page).waitFor()
    await row(page, 'a.txt').waitFor()
    await picture(page, 'workspace-narrow')
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
    await drawer(page).getByRole('heading', { name: 'a.txt' }).waitFor()
    await shown(page).getByText('A', { exact: true }).waitFor()
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(400)
    await picture(page, 'workspace-narrow-file')
    await drawer(page).getByRole('button', { name: 'Back to the list' }).click()
    await row(page, 'b.txt').waitFor()
    await page.keyboard.press('Escape')
    await drawer(page).waitFor({ state: 'hidden' })
  })

  test('are shown when they are opened again, if what shows a PDF couldn’t be loaded', async () => {
    const { page } = await openThread({ 'notes.txt': 'first line', 'report.pdf': await pdfOf(['First page']) })
    await page.route('**/vendor/pdf.js', (route) => route.abort(), { times: 1 })
    await page.getByRole('button', { name: 'Files (3)' }).click()
    await openFile(page, 'report.pdf')
    await shown(page).getByText('It can’t be shown here.').waitFor()
    await openFile(page, 'notes.txt')
    await openFile(page, 'report.pdf')
    await shown(page).getByRole('img', { name: 'Page 1 of 1' }).waitFor()
  })

  test('cannot do anything to the console, whatever they contain', async () => {
    const name = '<img src=x onerror=document.title=1>.txt'
    const { bot, conversation, page, refused } = await openThread({
      'page.html': '<script>document.title = "1"</script><h1>Hello</h1>',
      'drawing.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" onload="document.title=1"><script>document.title=1</script></svg>',
      'broken.pdf': '%PDF-1.7\nnothing of it is one',
      'fake.png': Buffer.concat([pngOf(4, 4).subarray(0, 40), Buffer.from('<script>document.title=1</script>')]),
    })
    await onDisk(bot, conversation, `temp/${name}`, 'a name')
    await onDisk(bot, conversation, 'temp/invoice\u202Efdp.exe', 'MZ')
    const large = await open(join(bot.dataDir, 'workspace', conversation, 'temp/large.log'), 'w')
    for (let part = 0; part < 50; part++) await large.write(`${'0123456789 line of a log\n'.repeat(40_000)}`)
    await large.close()
    await page.reload()
    await page.getByRole('button', { name: 'Files (8)' }).click()

    await openFile(page, name)
    await openFile(page, 'page.html')
    await shown(page).getByText('<h1>Hello</h1>').waitFor()
    await openFile(page, 'drawing.svg')
    await shown(page).getByText('<svg xmlns=').waitFor()
    await openFile(page, 'broken.pdf')
    await shown(page).getByText('It’s damaged and can’t be shown.').waitFor()
    await picture(page, 'workspace-damaged')
    await openFile(page, 'fake.png')
    await shown(page).getByText('can’t be shown').waitFor()
    await openFile(page, 'large.log')
    await shown(page).getByText('The file is 50 MB. Only its beginning is shown.').waitFor()
    expect(await row(page, 'invoice').innerText()).toContain('invoice\uFFFDfdp.exe')
    expect(await page.title()).not.toBe('1')
    expect(refused).toEqual([])
    expect(await page.locator('.tree img, h3 img, .file-body script, .file-body svg:not(.icon)').count()).toBe(0)
  })
})
