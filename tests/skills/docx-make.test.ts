import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseDocx } from '../../src/kit/documents/parsers/docx.ts'
import { limits } from '../documents/office/make.ts'
import { png } from '../support/images.ts'
import { scratch } from '../support/store.ts'
import { failure, run } from './running.ts'

/** What our parser reads in a document made from this, and what its script printed. */
async function made(markdown: string) {
  const folder = await scratch()
  await writeFile(join(folder, 'in.md'), markdown)
  await writeFile(join(folder, '100%.png'), png)
  const printed = JSON.parse(await run(folder, 'docx/make', 'a.docx', 'in.md'))
  const bytes = await readFile(join(folder, 'a.docx'))
  const { parts } = await parseDocx({ name: 'a.docx', bytes }, limits)
  return { printed, read: parts.map(({ text }) => text).join('\n') }
}

test('a numbered list counts from where it begins, and each from its own', async () => {
  const lists = [
    '3. third\n4. fourth\n',
    '5. fifth\n',
    '1. one\n   7. seven\n   8. eight\n2. two\n',
    '0. zero\n',
    '3. again\n',
  ]
  const { read } = await made(lists.join('\ntext\n\n'))
  expect(read.match(/\d+\. \w+/g)).toEqual([
    ...['3. third', '4. fourth', '5. fifth', '1. one', '7. seven', '8. eight', '2. two', '0. zero', '3. again'],
  ])
})

test('a line break in HTML breaks the line, and other HTML is counted', async () => {
  const text = 'one<br>two <b>bold</b> <!-- not seen -->\n\n| a | b |\n|---|---|\n| three<BR />four | c |\n'
  const { read, printed } = await made(`${text}\n<div>Block content</div>\n\n<!-- nor this -->\n`)
  expect(read).toMatch(/one\s*\n\s*two bold/)
  expect(read).not.toContain('threefour')
  expect(printed.htmlLeftOut).toBe(2)
  expect((await made('text')).printed).toEqual({ file: 'a.docx', blocks: 1, footnotes: 0 })
})

test('a name with a per cent sign is one of an image too', async () => {
  expect((await made('![Share](100%.png) and ![share](100%25.png)')).read.match(/image: \w+/gi)).toHaveLength(2)
  expect(await failure(made('![x](50%.png)') as Promise<never>)).toContain('There is no image 50%.png')
})
