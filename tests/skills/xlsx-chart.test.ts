import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { workbook } from '../documents/xlsx/make.ts'
import { scratch } from '../support/store.ts'
import { failure, run } from './running.ts'

async function chart(folder: string, described: object, out = 'out.svg', ...book: string[]): Promise<string> {
  await writeFile(join(folder, 'chart.json'), JSON.stringify(described))
  return run(folder, 'xlsx/chart', out, 'chart.json', ...book)
}

const textsIn = (svg: string): string[] => Array.from(svg.matchAll(/<text[^>]*>([^<]*)</g), ([, text = '']) => text)

test('labels are what the cells show, a blank is no zero, and a formula without a result is refused', async () => {
  const folder = await scratch()
  const bytes = await workbook((made) => {
    const sheet = made.addWorksheet('A')
    sheet.addRows([
      [new Date('2027-03-31T00:00:00Z'), 5],
      [{ richText: [{ text: 'bo' }, { text: 'ld' }] }, null],
      [{ formula: 'A1&""', result: 'computed' }, 7],
      ['last', { formula: 'B1+B3', result: 12 }],
    ])
    sheet.addRow(['x', { formula: 'MEDIAN(B1:B4)' }])
  })
  await writeFile(join(folder, 'a.xlsx'), bytes)
  const described = { labels: 'A!A1:A4', series: [{ name: 's', values: 'A!B1:B4' }] }
  const drawn = async (type: string): Promise<string> => {
    await chart(folder, { type, ...described }, 'out.svg', 'a.xlsx')
    return readFile(join(folder, 'out.svg'), 'utf8')
  }
  const bars = await drawn('bar')
  expect(textsIn(bars)).toEqual(expect.arrayContaining(['2027-03-31', 'bold', 'computed', 'last']))
  expect(bars.match(/<rect [^>]*fill="#2E75B6"/g)).toHaveLength(3)
  const lines = await drawn('line')
  expect(lines.match(/<polyline/g)).toHaveLength(1)
  expect(lines.match(/<circle/g)).toHaveLength(1)

  const uncomputed = { labels: ['x'], series: [{ name: 's', values: 'A!B5' }] }
  expect(await failure(chart(folder, uncomputed, 'out.svg', 'a.xlsx'))).toContain('A!B5 has no result')
  const dates = { labels: ['x'], series: [{ name: 's', values: 'A!A1' }] }
  expect(await failure(chart(folder, dates, 'out.svg', 'a.xlsx'))).toContain('s has values that are no numbers')
})

test('the axis names small values, and characters that no font here has are named', async () => {
  const folder = await scratch()
  const small = { labels: ['a', 'b'], series: [{ name: 's', values: [0.003, -0.001] }] }
  expect(await chart(folder, small)).not.toContain('charactersWithoutFont')
  expect(textsIn(await readFile(join(folder, 'out.svg'), 'utf8'))).toEqual([
    ...['-0.001', '0', '0.001', '0.002', '0.003'],
    ...['a', 'b'],
  ])
  // In Unicode for private use, so that no machine has a font for it.
  const title = 'Ünder Ελλάδα Жук \u{100000}'
  expect(JSON.parse(await chart(folder, { ...small, title }, 'out.png'))).toMatchObject({
    charactersWithoutFont: '\u{100000}',
  })
  expect(await chart(folder, { ...small, title: 'Ünder Ελλάδα Жук' }, 'out.png')).not.toContain('charactersWithoutFont')
})
