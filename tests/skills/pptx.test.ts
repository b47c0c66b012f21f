import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import JSZip from 'jszip'
import { expect, test } from 'vitest'
import { parsePptx } from '../../src/kit/documents/parsers/pptx.ts'
import { limits } from '../documents/office/make.ts'
import { png } from '../support/images.ts'
import { scratch } from '../support/store.ts'
import { failure, run } from './running.ts'

/** What our parser, which isn't what writes them, reads on each slide. */
async function readSlides(folder: string, name: string): Promise<string[]> {
  const { parts } = await parsePptx({ name, bytes: await readFile(join(folder, name)) }, limits)
  return parts.map(({ text }) => text)
}

const chart = { type: 'bar', labels: ['Q1', 'Q2'], series: [{ name: 'Sales', values: [10, 12] }] }
const deck = {
  title: 'Review',
  slides: [
    { kind: 'title', title: 'Quarterly review', subtitle: 'Q3 2027' },
    { title: 'Sales grew', bullets: ['North 你好', ['Oslo'], 'Prices'], chart, notes: 'Mention Oslo.' },
    {
      title: 'Costs',
      table: [
        ['Item', 'Cost'],
        ['Rent', 1200],
      ],
    },
    { title: 'Two ways', columns: [['Build'], ['Buy']] },
    { title: 'The shop', image: 'shop.png' },
  ],
}

test('slides are made, changed in their own design, copied, removed and reordered', async () => {
  const folder = await scratch()
  await writeFile(join(folder, 'shop.png'), png)
  await writeFile(join(folder, 'deck.json'), JSON.stringify(deck))
  await run(folder, 'pptx/make', 'a.pptx', 'deck.json')
  const made = await readSlides(folder, 'a.pptx')
  expect(made).toHaveLength(5)
  expect(made[0]).toMatch(/Quarterly review[\s\S]*Q3 2027/)
  expect(made[1]).toMatch(/Sales grew[\s\S]*North 你好[\s\S]*Oslo/)
  expect(made[1]).toContain('Mention Oslo.')
  expect(made[2]).toMatch(/\| Rent \| 1200 \|/)

  const looked = await run(folder, 'pptx/look', 'a.pptx', '4')
  const [, title] = /(\d+) ".*": Two ways/.exec(looked) ?? []
  const changes = [
    { replace: 'Q3 2027', with: 'Q4 2027' },
    { slide: 4, shape: title, text: ['Three', 'ways'] },
    { copy: 4, texts: { [title ?? '']: 'A fourth' } },
    { delete: 2 },
    { order: [3, 1] },
  ]
  await writeFile(join(folder, 'changes.json'), JSON.stringify(changes))
  await run(folder, 'pptx/edit', 'a.pptx', 'b.pptx', 'changes.json')
  const changed = await readSlides(folder, 'b.pptx')
  expect(changed.map((text) => /Costs|Quarterly|Three\s+ways|A fourth|The shop/.exec(text)?.[0])).toEqual([
    ...['Costs', 'Quarterly', 'Three ways', 'A fourth', 'The shop'],
  ])
  expect(changed.join()).not.toContain('Mention Oslo')
  expect(changed[1]).toContain('Q4 2027')
  const { files } = await JSZip.loadAsync(await readFile(join(folder, 'b.pptx')))
  expect(Object.keys(files).filter((name) => /slides\/slide\d+\.xml$/.test(name))).toHaveLength(5)

  await writeFile(join(folder, 'wrong.json'), '[{ "slide": 1, "shape": 99, "text": "x" }]')
  expect(await failure(run(folder, 'pptx/edit', 'a.pptx', 'x.pptx', 'wrong.json'))).toContain(
    'There is no shape 99 here',
  )
})

test('a text is replaced on copies too, and other changes mean the original', async () => {
  const folder = await scratch()
  const slides = [{ title: 'Sales 2026' }, { title: 'Costs' }]
  await writeFile(join(folder, 'deck.json'), JSON.stringify({ slides }))
  await run(folder, 'pptx/make', 'a.pptx', 'deck.json')
  const [, title = ''] = /(\d+) ".*": Sales/.exec(await run(folder, 'pptx/look', 'a.pptx', '1')) ?? []
  const edit = async (...changes: object[]) => {
    await writeFile(join(folder, 'changes.json'), JSON.stringify(changes))
    return run(folder, 'pptx/edit', 'a.pptx', 'b.pptx', 'changes.json')
  }
  const titles = async (): Promise<(string | undefined)[]> =>
    (await readSlides(folder, 'b.pptx')).map((text) => /(Sales|Costs|Plan).*/.exec(text)?.[0])
  await edit({ copy: 1 }, { replace: '2026', with: '2027', all: true })
  expect(await titles()).toEqual(['Sales 2027', 'Sales 2027', 'Costs'])
  await edit({ copy: 1, texts: { [title]: 'Plan 2028' } }, { replace: '2028', with: '2029' }, { delete: 1 })
  expect(await titles()).toEqual(['Plan 2029', 'Costs'])
  const several = '"2026" is there 2 times: say more of it, or "all": true'
  const known = 'There are: replace, slide, copy, delete, order'
  expect(await failure(edit({ add: 1 }))).toContain(`I don't know this change: {"add":1}. ${known}`)
  expect(await failure(edit({ copy: 1 }, { replace: '2026', with: '2027' }))).toContain(several)
})

test('a slide that is deleted stays so, and can’t be changed or copied', async () => {
  const folder = await scratch()
  const slides = [{ title: 'One' }, { title: 'Two' }, { title: 'Three', bullets: ['Two words'] }]
  await writeFile(join(folder, 'deck.json'), JSON.stringify({ slides }))
  await run(folder, 'pptx/make', 'a.pptx', 'deck.json')
  const [, title = ''] = /(\d+) ".*": One/.exec(await run(folder, 'pptx/look', 'a.pptx', '1')) ?? []
  const edit = async (...changes: object[]) => {
    await writeFile(join(folder, 'changes.json'), JSON.stringify(changes))
    return run(folder, 'pptx/edit', 'a.pptx', 'b.pptx', 'changes.json')
  }
  await edit({ delete: 3 }, { copy: 1, texts: { [title]: 'Another one' } })
  const changed = await readSlides(folder, 'b.pptx')
  expect(changed.map((text) => /Another one|One|Two|Three/.exec(text)?.[0])).toEqual(['One', 'Another one', 'Two'])
  expect(changed.join()).not.toContain('Two words')
  await edit({ delete: 3 }, { delete: 3 }, { replace: 'Two', with: 'Second' }, { order: [3, 2, 1] })
  expect((await readSlides(folder, 'b.pptx')).map((text) => /One|Second|Three/.exec(text)?.[0])).toEqual([
    ...['Second', 'One'],
  ])
  for (const change of [{ copy: 3 }, { slide: 3, shape: title, text: 'x' }])
    expect(await failure(edit({ delete: 3 }, change))).toContain('Slide 3 was deleted by an earlier change')
})

test('what Office skills share is the same in each', async () => {
  const shared = (skill: string) =>
    readFile(join(import.meta.dirname, `../../skills/${skill}/scripts/package.mjs`), 'utf8')
  expect(await shared('pptx')).toBe(await shared('docx'))
})
