import { degrees } from 'pdf-lib'
import { openPdf, savePdf } from './changing.mjs'
import { pagesIn } from './pages-in.mjs'

const [path, out, angle, range = '1-'] = process.argv.slice(2)
if (!/^-?(90|180|270)$/.test(angle ?? '')) throw new Error('Usage: rotate.mjs in.pdf out.pdf 90|180|270 [pages]')

const pdf = await openPdf(path)
const numbers = pagesIn(range, pdf.getPageCount())
for (const number of numbers) {
  const page = pdf.getPage(number - 1)
  page.setRotation(degrees((((page.getRotation().angle + Number(angle)) % 360) + 360) % 360))
}
await savePdf(pdf, out, path)
console.log(JSON.stringify({ file: out, pages: pdf.getPageCount(), rotated: numbers.length }))
