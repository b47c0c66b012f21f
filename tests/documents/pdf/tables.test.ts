import { expect, test } from 'vitest'
import { f1, meanOf, scoreTable, truePdfs } from '../../../bench/fidelity/table-truth.ts'
import { grid } from './compose.ts'
import { parse, textOf } from './parse.ts'

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
