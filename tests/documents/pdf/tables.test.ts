import { expect, test } from 'vitest'
import { f1, meanOf, scoreTable, truePdfs } from '../../../bench/fidelity/table-truth.ts'
import { grid } from './compose.ts'
import { parse, parsed, textOf } from './parse.ts'

test('tables that other programs made are read cell by cell, with and without lines, and keep their rows', async () => {
  const scores = []
  for (const { name, bytes, table } of truePdfs()) {
    scores.push({ name, score: scoreTable(await parse(bytes), table) })
  }
  expect(scores.length).toBeGreaterThan(90)
  expect(meanOf(scores.map(({ score }) => score))).toBeGreaterThan(0.97)
  expect(scores.filter(({ score }) => score.flattened > 0).map(({ name }) => name)).toEqual([])
  expect(scores.filter(({ score }) => f1(score) < 0.9).map(({ name }) => name)).toEqual([
    'chromium-census',
    'weasyprint-census',
  ])
})

test('codes with figures beside them are a table; clauses with words beside them are a list', async () => {
  const codes = [
    ['200.01', '45.00'],
    ['200.02', '12.50'],
    ['300.01', '99.90'],
  ]
  expect(await textOf(grid(codes, { xs: [50, 200], y: 100 }))).toContain('| 200.02 | 12.50 |')
  const clauses = [
    ['2.1', 'The buyer pays within a month.'],
    ['2.2', 'Goods stay ours until they are paid.'],
    ['2.3', 'Complaints are made in writing.'],
  ]
  expect(await textOf(grid(clauses, { xs: [50, 90], y: 100 }))).not.toContain('|')
})

test('a table within another one, whose first row is open at the top, is not lost', async () => {
  const line = (x1: number, y1: number, x2: number, y2: number) => `${x1} ${842 - y1} m ${x2} ${842 - y2} l S`
  const at = (x: number, y: number, text: string) => `BT /latin 10 Tf 1 0 0 1 ${x} ${842 - y} Tm (${text}) Tj ET`
  const inner = [100, 120, 140]
    .map((y) => line(110, y, 240, y))
    .concat([110, 175, 240].map((x) => line(x, 100, x, 140)))
  const outer = [160, 200].map((y) => line(100, y, 400, y)).concat([100, 250, 400].map((x) => line(x, 80, x, 200)))
  const texts = [at(115, 114, 'Item'), at(180, 114, 'Price'), at(115, 134, 'Steel'), at(180, 134, '900')]
  const others = [at(260, 114, 'Remarks'), at(105, 190, 'Total'), at(260, 190, 'paid in May')]
  const { parts } = await parsed([{ texts: [], content: [...outer, ...inner, ...texts, ...others].join('\n') }])
  expect(parts[0]?.text).toContain('| Item | Price |\n| --- | --- |\n| Steel | 900 |')
  expect(parts[0]?.text).toContain('Remarks')
  expect(parts[0]?.text).toMatch(/Total.*paid in May/)
})
