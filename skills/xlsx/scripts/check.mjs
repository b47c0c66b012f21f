import { openBook } from './cells.mjs'

const [path] = process.argv.slice(2)
if (path === undefined) throw new Error('Usage: check.mjs in.xlsx')
const book = await openBook(path)
const names = new Set(book.worksheets.map(({ name }) => name.toLowerCase()))
const problems = []
let formulas = 0

function checkFormula(sheet, cell) {
  const at = `${sheet.name}!${cell.address}`
  if (/#REF!|#NAME\?/.test(cell.formula)) problems.push({ at, problem: `the formula is broken: =${cell.formula}` })
  for (const [, quoted, plain] of cell.formula.matchAll(/(?:'([^']+)'|(?<![#\w])([A-Za-z_]\w*))!/g))
    if (!names.has((quoted ?? plain).toLowerCase()))
      problems.push({ at, problem: `there is no sheet ${quoted ?? plain}: =${cell.formula}` })
}

for (const sheet of book.worksheets)
  sheet.eachRow((row) =>
    row.eachCell((cell) => {
      const error = cell.result?.error ?? cell.value?.error
      if (error !== undefined) problems.push({ at: `${sheet.name}!${cell.address}`, problem: String(error) })
      if (!cell.formula) return
      formulas++
      checkFormula(sheet, cell)
    }),
  )
console.log(JSON.stringify({ formulas, problems: problems.slice(0, 100) }, undefined, 1))
