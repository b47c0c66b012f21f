import { readFile, writeFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import JSZip from 'jszip'
import pptxgen from 'pptxgenjs'
import { expect, test } from 'vitest'
import { changed, relation } from '../documents/office/make.ts'
import { scratch } from '../support/store.ts'
import { run } from './running.ts'

/** The texts of a package's parts by their names. */
async function partsOf(path: string): Promise<Map<string, string>> {
  const { files } = await JSZip.loadAsync(await readFile(path))
  const named = Object.values(files).filter(({ dir }) => !dir)
  return new Map(await Promise.all(named.map(async (one) => [one.name, await one.async('string')] as const)))
}

/** The parts that relationships name, as paths from the root of the package. */
const targetsOf = (parts: Map<string, string>): string[] =>
  [...parts].flatMap(([name, xml]) =>
    name.endsWith('.rels')
      ? Array.from(xml.matchAll(/<Relationship [^>]*>/g), ([one]) => one)
          .filter((one) => !one.includes('External'))
          .map((one) => /Target="([^"]*)"/.exec(one)?.[1] ?? '')
          .map((to) => (to.startsWith('/') ? to.slice(1) : posix.join(posix.dirname(posix.dirname(name)), to)))
      : [],
  )

test('nothing that was on a deleted slide stays in the file, and no link leads to it', async () => {
  const folder = await scratch()
  // Its types claim a module inside a module.
  const book = new (pptxgen as unknown as typeof import('pptxgenjs').default)()
  for (const title of ['First', 'Second']) book.addSection({ title })
  const first = book.addSlide({ sectionTitle: 'First' })
  first.addText([{ text: 'See the numbers', options: { hyperlink: { slide: 2 } } }], { x: 1, y: 1, w: 5, h: 1 })
  const secret = book.addSlide({ sectionTitle: 'Second' })
  secret.addText('Secret', { x: 1, y: 0, w: 5, h: 1 })
  secret.addChart('bar', [{ name: 'Secret', labels: ['Q1'], values: [4711] }], { x: 1, y: 1, w: 5, h: 3 })
  secret.addNotes('Secret notes')
  const bytes = Buffer.from((await book.write({ outputType: 'uint8array' })) as Uint8Array)
  const zip = await JSZip.loadAsync(bytes)
  const app = (await zip.file('docProps/app.xml')?.async('string'))?.replace('Slide 2', 'Secret')
  const thumbnail = relation('t', 'thumbnail', 'docProps/thumbnail.jpeg')
  const root = (await zip.file('_rels/.rels')?.async('string'))?.replace('</R', `${thumbnail}</R`)
  await writeFile(
    join(folder, 'a.pptx'),
    await changed(bytes, { 'docProps/app.xml': app, '_rels/.rels': root, 'docProps/thumbnail.jpeg': 'Secret' }),
  )
  const edit = async (...changes: object[]): Promise<Map<string, string>> => {
    await writeFile(join(folder, 'changes.json'), JSON.stringify(changes))
    await run(folder, 'pptx/edit', 'a.pptx', 'b.pptx', 'changes.json')
    return partsOf(join(folder, 'b.pptx'))
  }
  const before = await partsOf(join(folder, 'a.pptx'))
  expect([...before.keys()].filter((name) => /chart|embeddings/.test(name)).length).toBeGreaterThan(0)

  const parts = await edit({ copy: 1 }, { delete: 2 })
  expect([...parts.keys()].filter((name) => /chart|embeddings|slide2\.|notesSlide2\./.test(name))).toEqual([])
  for (const [name, xml] of parts) expect(xml, name).not.toMatch(/Secret|slide2\.xml|charts\//)
  expect(targetsOf(parts).filter((name) => !parts.has(name))).toEqual([])
  const own = parts.get('ppt/slides/slide1.xml') ?? ''
  expect(own).toContain('See the numbers')
  expect(parts.get('ppt/slides/slide3.xml')).toBe(own)
  expect(own).not.toContain('hlinkClick')
  const ids = (xml = ''): string[] => Array.from(xml.matchAll(/<p14:sldId id="(\d+)"/g), ([, id = '']) => id)
  expect(ids(before.get('ppt/presentation.xml'))).toHaveLength(2)
  expect(ids(parts.get('ppt/presentation.xml'))).toEqual(ids(before.get('ppt/presentation.xml')).slice(0, 1))

  // A copy of it still has the chart, and nothing is lost as long as no slide goes.
  expect([...(await edit({ copy: 2 }, { delete: 2 })).keys()].some((name) => /charts\/chart/.test(name))).toBe(true)
  const kept = await edit({ replace: 'Secret', with: 'Known', all: true })
  expect([...kept.keys()].toSorted()).toEqual([...before.keys()].toSorted())
})
