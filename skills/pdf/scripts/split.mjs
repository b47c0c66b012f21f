import { PDFDocument } from 'pdf-lib'
import { fieldsLost, openPdf, savePdf } from './changing.mjs'
import { pagesIn } from './pages-in.mjs'

const [path, prefix, ...ranges] = process.argv.slice(2)
if (prefix === undefined) throw new Error('Usage: split.mjs in.pdf outputs/part [1-3 4-6 …]; without ranges, each page')

const pdf = await openPdf(path)
const count = pdf.getPageCount()
const parts = ranges.length > 0 ? ranges : Array.from({ length: count }, (_, place) => String(place + 1))
const made = []
for (const [place, range] of parts.entries()) {
  const part = await PDFDocument.create()
  const wanted = pagesIn(range, count).map((number) => number - 1)
  for (const page of await part.copyPages(pdf, wanted)) part.addPage(page)
  const file = `${prefix}-${place + 1}.pdf`
  await savePdf(part, file, path)
  made.push({ file, pages: part.getPageCount(), ...fieldsLost(pdf) })
}
console.log(JSON.stringify(made))
