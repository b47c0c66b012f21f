import { openBook } from './cells.mjs'
import { compute } from './compute.mjs'

const [path] = process.argv.slice(2)
if (path === undefined) throw new Error('Usage: check.mjs in.xlsx')
const book = await openBook(path)
// An edited file has no errors that Excel computed, so this looks for the simple ones.
const divided = compute(book)
const names = new Set(book.worksheets.map(({ name }) => name.toLowerCase()))
const problems = []
const notComputed = []
let formulas = 0

/** Texts are matched too, as they may look like a reference. A name behind `]` is of another workbook. */
const parts = /"[^"]*"|(#REF!|#NAME\?)|'((?:[^']|'')+)'!|(?<![#\]\p{L}\p{N}_.])([\p{L}_][\p{L}\p{N}_.]*)!/gu

function checkFormula(at, formula) {
  const found = Array.from(formula.matchAll(parts))
  if (found.some(([, broken]) => broken !== undefined))
    problems.push({ at, problem: `the formula is broken: =${formula}` })
  for (const [, , quoted, plain] of found) {
    const name = quoted?.replaceAll("''", "'") ?? plain
    // One of several sheets, such as 'Jan:Dec', or of another workbook.
    if (name === undefined || /[:[]/.test(name)) continue
    if (!names.has(name.toLowerCase())) problems.push({ at, problem: `there is no sheet ${name}: =${formula}` })
  }
}

for (const sheet of book.worksheets)
  sheet.eachRow((row) =>
    row.eachCell((cell) => {
      const at = `${sheet.name}!${cell.address}`
      const error = cell.result?.error ?? cell.value?.error
      if (error !== undefined) problems.push({ at, problem: String(error) })
      if (!cell.formula) return
      formulas++
      checkFormula(at, cell.formula)
      if (cell.result !== undefined) return
      notComputed.push(at)
      if (divided.has(at)) problems.push({ at, problem: `it divides by zero: =${cell.formula}` })
    }),
  )
console.log(
  JSON.stringify(
    {
      formulas,
      problems: problems.slice(0, 100),
      ...(notComputed.length > 0 && { notComputed: { count: notComputed.length, first: notComputed.slice(0, 10) } }),
    },
    undefined,
    1,
  ),
)
