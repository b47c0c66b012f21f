import { PDFDocument } from 'pdf-lib'
import { fieldsLost, openPdf, savePdf } from './changing.mjs'
import { pagesIn } from './pages-in.mjs'

const [path, out, range] = process.argv.slice(2)
if (range === undefined) throw new Error('Usage: pages.mjs in.pdf out.pdf 3,1-2')

const pdf = await openPdf(path)
const kept = await PDFDocument.create()
const wanted = pagesIn(range, pdf.getPageCount()).map((number) => number - 1)
for (const page of await kept.copyPages(pdf, wanted)) kept.addPage(page)
await savePdf(kept, out, path)
console.log(JSON.stringify({ file: out, pages: kept.getPageCount(), ...fieldsLost(pdf) }))
