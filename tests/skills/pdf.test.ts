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

test('pages of a form that lose its fields say so', async () => {
  const folder = await scratch()
  await writeFile(join(folder, 'form.pdf'), await form(['Name', 'Town']))
  await writeFile(join(folder, 'plain.pdf'), makePdf({ pages: [{ texts: [] }] }))
  expect(JSON.parse(await run(folder, 'pdf/merge', 'a.pdf', 'form.pdf', 'plain.pdf', 'form.pdf#1'))).toEqual({
    ...{ file: 'a.pdf', pages: 4, formFieldsLost: 4 },
  })
  expect(JSON.parse(await run(folder, 'pdf/pages', 'form.pdf', 'b.pdf', '1'))).toMatchObject({ formFieldsLost: 2 })
  expect(JSON.parse(await run(folder, 'pdf/split', 'form.pdf', 'part'))).toEqual([
    { file: 'part-1.pdf', pages: 1, formFieldsLost: 2 },
    { file: 'part-2.pdf', pages: 1, formFieldsLost: 2 },
  ])
  expect(JSON.parse(await run(folder, 'pdf/pages', 'plain.pdf', 'c.pdf', '1'))).toEqual({ file: 'c.pdf', pages: 1 })
})

test.each(['rc4', 'aes-256'] as const)(
  'of an encrypted PDF, its pages are told, and a password is asked for (%s)',
  async (method) => {
    const folder = await scratch()
    const locked = (user: string) =>
      makePdf({ pages: [{ texts: [] }, { texts: [] }], title: 'Secret', protection: { method, user, owner: 'owner' } })
    await writeFile(join(folder, 'a.pdf'), locked(''))
    await writeFile(join(folder, 'b.pdf'), locked('user'))
    expect(JSON.parse(await run(folder, 'pdf/info', 'a.pdf'))).toEqual({ encrypted: true, pages: 2 })
    expect(JSON.parse(await run(folder, 'pdf/info', 'b.pdf'))).toEqual({ encrypted: true, opensOnlyWithPassword: true })
    const refused = 'a.pdf is encrypted: ask for one without a password'
    for (const [name, ...words] of [
      ['merge', 'x.pdf', 'a.pdf'],
      ['fill', 'a.pdf', 'x.pdf', '{}'],
    ])
      expect(await failure(run(folder, `pdf/${name}`, ...words)), name).toContain(refused)
  },
)

test('pages that are not drawn, or not wholly, are named', async () => {
  const folder = await scratch()
  const [tall, small] = [
    { texts: [], width: 10, height: 2000 },
    { texts: [], width: 50, height: 50 },
  ]
  await writeFile(join(folder, 'a.pdf'), makePdf({ pages: [tall, ...Array.from({ length: 51 }, () => small)] }))
  const { images, ...others } = JSON.parse(await run(folder, 'pdf/images', 'a.pdf', 'page', '1-', '50'))
  expect(images).toHaveLength(50)
  expect(images.slice(0, 2)).toEqual([
    { file: 'page-1.png', width: 50, height: 8000, cutFrom: 10_000 },
    { file: 'page-2.png', width: 50, height: 50 },
  ])
  expect(others).toEqual({ notDrawn: 2, next: '51,52' })
  expect(JSON.parse(await run(folder, 'pdf/images', 'a.pdf', 'page', '51,52', '50'))).toEqual({
    images: [51, 52].map((number) => ({ file: `page-${number}.png`, width: 50, height: 50 })),
  })
})
