import { writeFile } from 'node:fs/promises'
import { createCanvas } from '@napi-rs/canvas'
import { pagesIn } from './pages-in.mjs'
import { readPdf } from './reading.mjs'

const [path, prefix, range = '1-', width = '1200'] = process.argv.slice(2)
if (prefix === undefined) throw new Error('Usage: images.mjs in.pdf outputs/page [pages] [width in pixels]')
const pixels = Number(width)
if (!(pixels >= 50 && pixels <= 4000)) throw new Error('The width is from 50 to 4000 pixels')

const pdf = await readPdf(path)
const made = []
for (const number of pagesIn(range, pdf.numPages).slice(0, 50)) {
  const page = await pdf.getPage(number)
  const viewport = page.getViewport({ scale: pixels / page.getViewport({ scale: 1 }).width })
  const height = Math.min(8000, Math.ceil(viewport.height))
  const canvas = createCanvas(pixels, height)
  const canvasContext = canvas.getContext('2d')
  await page.render({ canvas, canvasContext, viewport }).promise
  const file = `${prefix}-${number}.png`
  await writeFile(file, canvas.toBuffer('image/png'))
  made.push({ file, width: pixels, height })
}
console.log(JSON.stringify(made))
await pdf.loadingTask.destroy()
