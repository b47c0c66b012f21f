import { pagesIn } from './pages-in.mjs'
import { readPdf } from './reading.mjs'

const [path, range = '1-'] = process.argv.slice(2)
if (path === undefined) throw new Error('Usage: text.mjs in.pdf [pages]')

const pdf = await readPdf(path)
let characters = 0
for (const number of pagesIn(range, pdf.numPages)) {
  const { items } = await (await pdf.getPage(number)).getTextContent()
  const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
  characters += text.trim().length
  console.log(`--- page ${number}\n${text}`)
}
if (characters === 0) console.log('There is no text on these pages: they may be scanned.')
await pdf.loadingTask.destroy()
