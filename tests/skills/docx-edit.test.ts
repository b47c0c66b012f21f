import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import JSZip from 'jszip'
import { expect, test } from 'vitest'
import { changed, p, relation, rels, wordFile } from '../documents/office/make.ts'
import { scratch } from '../support/store.ts'
import { failure, run } from './running.ts'

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

test('what is in a text box counts once, although Word writes it twice', async () => {
  const { edit, look } = await document(boxed('Beside', p('By 30 days') + p('or less')) + p('less'))
  await edit({ replace: '30 days', with: '14 days' })
  expect((await look()).texts).toEqual(['Beside', 'By 14 days', 'or less', 'By 14 days', 'or less', 'less'])
  const several = 'is there 2 times: say more of it, or "all": true'
  expect(await failure(edit({ replace: 'less', with: 'more' }))).toContain(several)
})

test('a change that there isn’t is refused with those that there are', async () => {
  const { edit } = await document(p('One'))
  const known = 'There are: replace, set, delete, cell, comment, after, style'
  expect(await failure(edit({ insert: 1 }))).toContain(`I don't know this change: {"insert":1}. ${known}`)
})

test('what only a deleted paragraph showed leaves the file with it', async () => {
  const drawing = (id: string): string =>
    `<w:r><w:drawing><a:graphic><a:graphicData><c:chart xmlns:c="c" r:id="${id}"/></a:graphicData></a:graphic></w:drawing></w:r>`
  const body = `<w:p>${drawing('one')}${drawing('two')}</w:p><w:p>${drawing('two')}</w:p>${p('Text')}`
  const links = relation('one', 'chart', 'charts/one.xml') + relation('two', 'chart', 'charts/two.xml')
  const { folder, edit } = await document(body, { links })
  const files = {
    'word/charts/one.xml': '<c/>',
    'word/charts/_rels/one.xml.rels': rels(relation('e', 'package', '../embeddings/one.xlsx')),
    ...{ 'word/embeddings/one.xlsx': 'numbers', 'word/charts/two.xml': '<c/>' },
  }
  await writeFile(join(folder, 'in.docx'), await changed(await readFile(join(folder, 'in.docx')), files))
  const left = async (): Promise<string[]> =>
    Object.keys((await JSZip.loadAsync(await readFile(join(folder, 'out.docx')))).files).filter((name) =>
      Object.hasOwn(files, name),
    )
  await edit({ delete: 3 })
  expect(await left()).toHaveLength(4)
  await edit({ delete: 1 })
  expect(await left()).toEqual(['word/charts/two.xml'])
  await run(folder, 'docx/edit', 'in.docx', 'out.docx', 'changes.json', '--track', 'Ana')
  expect(await left()).toHaveLength(4)
})

test('a comment on an empty paragraph comes after its format', async () => {
  const { edit, look, xml } = await document(`<w:p><w:pPr><w:jc w:val="right"/></w:pPr></w:p><w:p/>${p('Text')}`)
  await edit({ comment: 1, text: 12 }, { comment: 2, text: 'Two' }, { comment: 3, text: 'Three' })
  const starts = Array.from((await xml())?.matchAll(/<w:p>(.*?)<w:commentRangeStart/g) ?? [], ([, own]) => own)
  expect(starts).toEqual(['<w:pPr><w:jc w:val="right"/></w:pPr>', '', '<w:pPr/>'])
  expect((await look()).about.comments.map(({ text }: { text: string }) => text)).toEqual(['12', 'Two', 'Three'])
})

test('styles that a document lacks are refused, and those that it has are named', async () => {
  const style = (id: string, type = 'paragraph'): string => `<w:style w:type="${type}" w:styleId="${id}"/>`
  const { edit, look } = await document(p('One'), {
    styles: style('Heading1') + style('Quote') + style('Strong', 'character'),
  })
  for (const change of [
    { style: 1, as: 'Heading 1' },
    { after: 1, add: 'Two', style: 'Strong' },
  ])
    expect(await failure(edit(change))).toMatch(/There is no style (Heading 1|Strong)\. There are: Heading1, Quote\n/)
  await edit({ style: 1, as: 'Heading1' }, { after: 1, add: [2, 'Three'], style: 'Quote' })
  expect((await look()).texts).toEqual(['One', '2', 'Three'])
})

test.each([[[]], [['--track', 'Ana']]])('a paragraph that was deleted is not changed any more (%j)', async (track) => {
  const { folder, look } = await document(
    `${boxed('One', p('Box'))}${p('Two')}<w:tbl><w:tr><w:tc>${p('1200')}</w:tc></w:tr></w:tbl>`,
  )
  const edit = async (...changes: object[]): Promise<string> => {
    await writeFile(join(folder, 'changes.json'), JSON.stringify(changes))
    return run(folder, 'docx/edit', 'in.docx', 'out.docx', 'changes.json', ...track)
  }
  for (const change of [
    { after: 4, add: 'x' },
    { set: 4, text: 'x' },
    { style: 4, as: 'x' },
    { comment: 4, text: 'x' },
  ])
    expect(await failure(edit({ delete: 4 }, change))).toContain('Paragraph 4 was deleted by an earlier change')
  expect(await failure(edit({ delete: 1 }, { set: 2, text: 'x' }))).toContain('Paragraph 2 was deleted')
  await edit(
    { after: 4, add: 'Three' },
    { delete: 4 },
    { delete: 4 },
    { after: 4, add: 'Four' },
    { cell: [1, 1, 1], text: 1180 },
  )
  expect((await look()).texts.filter((text) => text !== '')).toEqual(['One', 'Box', 'Box', 'Three', 'Four', '1180'])
  expect(await failure(edit({ cell: [1, 1, 1] }))).toContain('This change says no text: {"cell":[1,1,1]}')
  await edit({ delete: 5 }, { cell: [1, 1, 1], text: 'new' })
  expect((await look()).texts.at(-1)).toBe('new')
})
