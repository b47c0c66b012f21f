import { readFile } from 'node:fs/promises'
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { pagesIn } from './pages-in.mjs'

const [path, range = '1-'] = process.argv.slice(2)
if (path === undefined) throw new Error('Usage: text.mjs in.pdf [pages]')

const data = new Uint8Array(await readFile(path))
const pdf = await getDocument({ data, verbosity: VerbosityLevel.ERRORS, isEvalSupported: false }).promise
let characters = 0
for (const number of pagesIn(range, pdf.numPages)) {
  const { items } = await (await pdf.getPage(number)).getTextContent()
  const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
  characters += text.trim().length
  console.log(`--- page ${number}\n${text}`)
}
if (characters === 0) console.log('There is no text on these pages: they may be scanned.')
await pdf.loadingTask.destroy()
