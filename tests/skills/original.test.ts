import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PDFDocument } from 'pdf-lib'
import { expect, test } from 'vitest'
import { p, wordFile } from '../documents/office/make.ts'
import { scratch } from '../support/store.ts'
import { failure, run } from './running.ts'

async function pdfForm(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  pdf
    .getForm()
    .createTextField('Name')
    .addToPage(pdf.addPage([100, 100]))
  return pdf.save()
}

async function deckIn(folder: string): Promise<Uint8Array> {
  await writeFile(join(folder, 'deck.json'), JSON.stringify({ slides: [{ title: 'One' }] }))
  await run(folder, 'pptx/make', 'a.pptx', 'deck.json')
  return readFile(join(folder, 'a.pptx'))
}

test.each([
  ['docx/edit', 'a.docx', './a.docx', 'list.json'],
  ['docx/fill', 'a.docx', 'a.docx', 'values.json'],
  ['docx/settle', 'a.docx', 'a.docx', 'accept'],
  ['pptx/edit', 'a.pptx', 'a.pptx', 'list.json'],
  ['pdf/merge', 'a.pdf', 'b.pdf', 'a.pdf#1'],
  ['pdf/pages', 'a.pdf', 'a.pdf', '1'],
  ['pdf/split', 'a-1.pdf', 'a', '1'],
  ['pdf/rotate', 'a.pdf', 'x/../a.pdf', '90'],
  ['pdf/fill', 'a.pdf', 'a.pdf', '{"Name":"Ana"}'],
])('%s doesn’t write over the file that it reads', async (script, ...words) => {
  const folder = await scratch()
  const files = {
    'a.docx': await wordFile(p('{{name}}')),
    ...{ 'a.pdf': await pdfForm(), 'b.pdf': await pdfForm(), 'a-1.pdf': await pdfForm() },
    ...(script === 'pptx/edit' && { 'a.pptx': await deckIn(folder) }),
    ...{ 'list.json': '[]', 'values.json': '{"name":"Ana"}' },
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  expect(await failure(run(folder, script, ...words))).toContain(': write to another file, so that the original stays')
  for (const [name, content] of Object.entries(files))
    expect((await readFile(join(folder, name))).equals(Buffer.from(content)), name).toBe(true)
})
