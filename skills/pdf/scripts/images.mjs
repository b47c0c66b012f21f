import { writeFile } from 'node:fs/promises'
import { createCanvas } from '@napi-rs/canvas'
import { pagesIn } from './pages-in.mjs'
import { readPdf } from './reading.mjs'

const [path, prefix, range = '1-', width = '1200'] = process.argv.slice(2)
if (prefix === undefined) throw new Error('Usage: images.mjs in.pdf outputs/page [pages] [width in pixels]')
const pixels = Number(width)
if (!(pixels >= 50 && pixels <= 4000)) throw new Error('The width is from 50 to 4000 pixels')

const pdf = await readPdf(path)
const most = { pages: 50, height: 8000 }
const wanted = pagesIn(range, pdf.numPages)
const images = []
for (const number of wanted.slice(0, most.pages)) {
  const page = await pdf.getPage(number)
  const viewport = page.getViewport({ scale: pixels / page.getViewport({ scale: 1 }).width })
  const whole = Math.ceil(viewport.height)
  const height = Math.min(most.height, whole)
  const canvas = createCanvas(pixels, height)
  const canvasContext = canvas.getContext('2d')
  await page.render({ canvas, canvasContext, viewport }).promise
  const file = `${prefix}-${number}.png`
  await writeFile(file, canvas.toBuffer('image/png'))
  images.push({ file, width: pixels, height, ...(height < whole && { cutFrom: whole }) })
}
const left = wanted.slice(most.pages)
const others = left.length > 0 && { notDrawn: left.length, next: left.slice(0, most.pages).join(',') }
console.log(JSON.stringify({ images, ...others }))
await pdf.loadingTask.destroy()
