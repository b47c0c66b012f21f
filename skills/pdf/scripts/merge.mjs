import { PDFDocument } from 'pdf-lib'
import { fieldsLost, openPdf, savePdf } from './changing.mjs'
import { pagesIn } from './pages-in.mjs'

const [out, ...inputs] = process.argv.slice(2)
if (out === undefined || inputs.length === 0) throw new Error('Usage: merge.mjs out.pdf in1.pdf in2.pdf#1-3 …')

const merged = await PDFDocument.create()
const sources = []
for (const input of inputs) {
  const [, path, range = '1-'] = /^(.*?\.pdf)(?:#([\d,\s-]+))?$/i.exec(input) ?? [undefined, input]
  const pdf = await openPdf(path)
  sources.push({ path, pdf })
  const pages = pagesIn(range, pdf.getPageCount()).map((number) => number - 1)
  for (const page of await merged.copyPages(pdf, pages)) merged.addPage(page)
}
await savePdf(merged, out, ...sources.map(({ path }) => path))
console.log(
  JSON.stringify({ file: out, pages: merged.getPageCount(), ...fieldsLost(...sources.map(({ pdf }) => pdf)) }),
)
