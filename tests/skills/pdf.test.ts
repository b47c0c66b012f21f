import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PDFDocument } from 'pdf-lib'
import { expect, test } from 'vitest'
import { makePdf } from '../documents/pdf/make.ts'
import { scratch } from '../support/store.ts'
import { failure, run } from './running.ts'

/** A form with text fields and choices by their names, on as many pages. */
async function form(names: string[], choices: Record<string, string[]> = {}): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  for (const name of names)
    pdf
      .getForm()
      .createTextField(name)
      .addToPage(pdf.addPage([300, 300]), { x: 10, y: 250, width: 200, height: 20 })
  for (const [name, options] of Object.entries(choices)) {
    const field = pdf.getForm().createDropdown(name)
    field.addOptions(options)
    field.addToPage(pdf.addPage([300, 300]), { x: 10, y: 150, width: 100, height: 20 })
  }
  return pdf.save({ updateFieldAppearances: false })
}

test('text in fonts that a PDF doesn’t hold is read by the tables of the reader', async () => {
  const folder = await scratch()
  const texts = [
    { x: 50, y: 100, text: '日本語', font: 'jis' as const },
    { x: 50, y: 200, text: '你好', font: 'gb' as const },
  ]
  await writeFile(join(folder, 'a.pdf'), makePdf({ pages: [{ texts }] }))
  const read = await run(folder, 'pdf/text', 'a.pdf')
  expect(read).toContain('日本語')
  expect(read).toContain('你好')
})

test('what a form’s font can’t show is named with its field', async () => {
  const folder = await scratch()
  await writeFile(join(folder, 'form.pdf'), await form(['Name', 'Town'], { City: ['Łódź', 'Wien'] }))
  const fill = (values: object): Promise<string> =>
    run(folder, 'pdf/fill', 'form.pdf', 'out.pdf', JSON.stringify(values), '--flatten')
  const message = (name: string, lacking: string): string =>
    `${name}: this form's font has no ${lacking}. Ask for another spelling, or leave the field empty and say so.`
  expect(await failure(fill({ Name: 'Łukasz', Town: 'Wien' }))).toContain(message('Name', '"Ł"'))
  expect(await failure(fill({ Name: 'Ana', Town: 'Привет' }))).toContain(
    message('Town', '"П", "р", "и", "в", "е", "т"'),
  )
  expect(await failure(fill({ City: 'Łódź' }))).toContain(message('City', '"Ł", "ź"'))
  // Written as a letter and an accent, and with a tab and a new line.
  await fill({ Name: 'Jose\u0301\tGómez\nWien', City: 'Wien' })
  expect(await run(folder, 'pdf/text', 'out.pdf')).toMatch(/José\s+Gómez/)
})

test('characters that a PDF made from text lost are named', async () => {
  const folder = await scratch()
  await writeFile(join(folder, 'in.md'), 'Привет, Jose\u0301 и Łukasz')
  expect(JSON.parse(await run(folder, 'pdf/make', 'a.pdf', 'in.md'))).toMatchObject({
    charactersReplaced: 8,
    replaced: 'ПриветŁ',
  })
  expect(await run(folder, 'pdf/text', 'a.pdf')).toContain('??????, José ? ?ukasz')
})
