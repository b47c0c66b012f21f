import type { Measured } from './measure.ts'
import { f1, meanOf, type TableScore } from './table-truth.ts'

export const print = (line: string) => process.stdout.write(`${line}\n`)

/** How many differences are shown per kind and per document. */
const mostOfKind = 10
const mostOfOne = 2

const share = (right: number, count: number, digits = 0): string =>
  count === 0 ? '–' : `${((100 * right) / count).toFixed(digits)} %`

const columns: [string, number][] = [
  ['', 44],
  ['errors', 9],
  ['order', 8],
  ['cells', 8],
  ['raw errors', 12],
  ['raw order', 10],
]

const lineOf = (cells: string[], last: string): string =>
  `${cells.map((cell, index) => (index === 0 ? cell.padEnd(columns[0]?.[1] ?? 0) : cell.padStart(columns[index]?.[1] ?? 0))).join('')}  ${last}`.trimEnd()

/** One line per document, then one per kind. `raw` is the same file read without regard to layout. */
export function printSummary(all: Measured[]): void {
  const head = lineOf(
    columns.map(([name]) => name),
    'found',
  )
  print(head)
  for (const one of all) print(sumOf(`${one.sample.kind}: ${one.sample.feature}`, [one]))
  print(`\n${head}`)
  for (const [kind, ofKind] of Map.groupBy(all, ({ sample }) => sample.kind)) print(sumOf(kind, ofKind))
  print('')
}

function sumOf(name: string, some: Measured[]): string {
  const sum = (number: (one: Measured) => number) => some.reduce((total, one) => total + number(one), 0)
  const raw = some.flatMap(({ baseline }) => (baseline === undefined ? [] : [baseline]))
  const rawSum = (number: (one: (typeof raw)[number]) => number) => raw.reduce((total, one) => total + number(one), 0)
  const marks = Map.groupBy(
    some.flatMap((one) => one.marks),
    ({ kind }) => kind,
  )
  const found = [...marks].map(([kind, list]) => {
    const [right, count] = [
      list.reduce((all, one) => all + one.found, 0),
      list.reduce((all, one) => all + one.count, 0),
    ]
    return `${kind} ${right}/${count}`
  })
  return lineOf(
    [
      name,
      share(
        sum(({ text }) => text.errors),
        sum(({ text }) => text.characters),
        2,
      ),
      share(
        sum(({ order }) => order.right),
        sum(({ order }) => order.count),
      ),
      share(
        sum(({ cells }) => cells.right),
        sum(({ cells }) => cells.count),
      ),
      share(
        rawSum(({ text }) => text.errors),
        rawSum(({ text }) => text.characters),
        2,
      ),
      share(
        rawSum(({ order }) => order.right),
        rawSum(({ order }) => order.count),
      ),
    ],
    found.join(', '),
  )
}

/** The first few differences of each kind, or all. */
export function printWrong(all: Measured[], { isWhole }: { isWhole: boolean }): void {
  for (const [kind, ofKind] of Map.groupBy(all, ({ sample }) => sample.kind)) {
    const count = ofKind.reduce((sum, { wrong }) => sum + wrong.length, 0)
    if (count > 0) print(`${kind}: ${count} ${count === 1 ? 'difference' : 'differences'}`)
    const shown = ofKind.flatMap(({ sample, wrong }) =>
      wrong.slice(0, isWhole ? wrong.length : mostOfOne).map((what) => `${sample.feature}: ${what}`),
    )
    for (const what of shown.slice(0, isWhole ? shown.length : mostOfKind)) print(`  ${what}`)
  }
}

/** Tables of PDFs: the mean over them, and those that aren't right. */
export function printTables(all: { name: string; score: TableScore }[], { isWhole }: { isWhole: boolean }): void {
  const flattened = all.filter(({ score }) => score.flattened > 0)
  const mean = meanOf(all.map(({ score }) => score))
  print(`${all.length} tables in PDFs of other programs: cells F1 ${mean.toFixed(3)}, ${flattened.length} flattened`)
  for (const { name, score } of all) {
    if (f1(score) === 1 && score.flattened === 0) continue
    print(`  ${name.padEnd(40)} ${f1(score).toFixed(3)}${score.flattened > 0 ? ', flattened' : ''}`)
    if (isWhole) for (const what of score.wrong) print(`    ${what}`)
  }
  print('')
}
