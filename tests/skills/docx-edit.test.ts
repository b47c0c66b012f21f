import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import JSZip from 'jszip'
import { expect, test } from 'vitest'
import { p, wordFile } from '../documents/office/make.ts'
import { scratch } from '../support/store.ts'
import { run } from './running.ts'

/** A paragraph with a text box anchored in it, as Word writes it: once for itself, once for older programs. */
const boxed = (text: string, inner: string): string =>
  `<w:p><w:r><w:t>${text}</w:t></w:r><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx><w:txbxContent>${inner}</w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent>${inner}</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`

/** A folder with a document of this body, and what changes it. */
async function document(body: string, parts = {}) {
  const folder = await scratch()
  await writeFile(join(folder, 'in.docx'), await wordFile(body, parts))
  const edit = async (...changes: object[]): Promise<string> => {
    await writeFile(join(folder, 'changes.json'), JSON.stringify(changes))
    return run(folder, 'docx/edit', 'in.docx', 'out.docx', 'changes.json')
  }
  const look = async (name = 'out.docx') => {
    const [about = '', ...lines] = (await run(folder, 'docx/look', name)).trimEnd().split('\n')
    return { about: JSON.parse(about), texts: lines.map((line) => line.replace(/^\d+ \[[^\]]*\] ?/, '')) }
  }
  const xml = async (part = 'word/document.xml'): Promise<string | undefined> =>
    (await JSZip.loadAsync(await readFile(join(folder, 'out.docx')))).file(part)?.async('string')
  return { folder, edit, look, xml }
}

test('text in a text box is filled in and changed too', async () => {
  const { folder, edit, look } = await document(boxed('Dear {{name}}', p('Box of {{name}}')))
  await writeFile(join(folder, 'values.json'), JSON.stringify({ name: 'Ana' }))
  await run(folder, 'docx/fill', 'in.docx', 'out.docx', 'values.json')
  const filled = await look()
  expect(filled.about.placeholders).toBeUndefined()
  expect(filled.texts).toEqual(['Dear Ana', 'Box of Ana', 'Box of Ana'])
  await edit({ replace: '{{name}}', with: 'Bo', all: true })
  expect((await look()).texts).toEqual(['Dear Bo', 'Box of Bo', 'Box of Bo'])
  await edit({ set: 1, text: 'Hello' }, { set: 2, text: 'Inside' })
  expect((await look()).texts).toEqual(['Hello', 'Inside', 'Box of {{name}}'])
})
