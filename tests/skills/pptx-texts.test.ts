import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import JSZip from 'jszip'
import { expect, test } from 'vitest'
import { scratch } from '../support/store.ts'
import { failure, run } from './running.ts'

async function made(...slides: object[]) {
  const folder = await scratch()
  await writeFile(join(folder, 'deck.json'), JSON.stringify({ slides }))
  const make = (): Promise<string> => run(folder, 'pptx/make', 'a.pptx', 'deck.json')
  const edit = async (...changes: object[]): Promise<string> => {
    await writeFile(join(folder, 'changes.json'), JSON.stringify(changes))
    return run(folder, 'pptx/edit', 'a.pptx', 'b.pptx', 'changes.json')
  }
  return { folder, make, edit }
}

test('text is replaced in notes too, and never an empty one', async () => {
  const { folder, make, edit } = await made({ title: 'Sales 2026', notes: 'In 2026 we grew.' }, { title: 'End' })
  await make()
  expect(await failure(edit({ replace: '2026', with: '2027' }))).toContain('"2026" is there 2 times')
  await edit({ replace: '2026', with: 2027, all: true })
  const looked = await run(folder, 'pptx/look', 'b.pptx')
  expect(looked).toMatch(/: Sales 2027\n[\s\S]*Notes: In 2027 we grew\.\n/)
  expect(await failure(edit({ replace: '', with: 'x' }))).toContain(`The text isn't there: ""`)
})

test('a table is not given the text of a shape, and a shape without lines stays valid', async () => {
  const { folder, make, edit } = await made(
    { title: 'First' },
    {
      title: 'Costs',
      table: [
        ['Item', 'Cost'],
        ['Rent', 1200],
      ],
    },
  )
  await make()
  const looked = await run(folder, 'pptx/look', 'a.pptx')
  const [, table] = /(\d+) ".*" \(table\)/.exec(looked) ?? []
  const [, title = ''] = /(\d+) ".*": Costs/.exec(looked) ?? []
  const isTable = `Shape ${table} is a table: use "replace" to change its texts`
  expect(await failure(edit({ slide: 2, shape: table, text: 'x' }))).toContain(isTable)
  expect(await failure(edit({ copy: 2, texts: { [table ?? '']: 'x' } }))).toContain(isTable)
  await edit({ slide: 2, shape: title, text: [] }, { copy: 2, texts: { [title]: 12 } })
  const zip = await JSZip.loadAsync(await readFile(join(folder, 'b.pptx')))
  const [emptied, copied] = await Promise.all(
    [2, 3].map((number) => zip.file(`ppt/slides/slide${number}.xml`)?.async('string')),
  )
  expect(emptied).toMatch(/<p:txBody>(?:(?!<\/p:txBody>).)*<a:p>(?:(?!<\/p:txBody>).)*<a:t\/?>/)
  expect(copied).toContain('<a:t>12</a:t>')
})

test.each([
  [{ title: 'A', subtitle: 'B' }, 'Slide 2: only a slide of kind "title" has a subtitle. Use "text" instead'],
  [
    { title: 'A', table: Array.from({ length: 40 }, () => ['a', 'b']) },
    'Slide 2: this table of 40 rows is too long for one slide',
  ],
  [
    {
      title: 'A',
      table: [
        ['a', 'b'],
        ['long '.repeat(400), 'b'],
      ],
    },
    'Slide 2: this table of 2 rows is too long for one slide',
  ],
  [{ title: 'A', image: 'x.png' }, 'Slide 2: There is no image x.png'],
])('what a slide has no room for is refused (%#)', async (slide, message) => {
  const { make } = await made({ title: 'First', table: Array.from({ length: 12 }, () => ['a', 'b']) }, slide)
  expect(await failure(make())).toContain(message)
})
