import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { pagesIn } from './pages-in.mjs'

const [path, prefix, range = '1-', width = '1200'] = process.argv.slice(2)
if (prefix === undefined) throw new Error('Usage: images.mjs in.pdf outputs/page [pages] [width in pixels]')
const pixels = Number(width)
if (!(pixels >= 50 && pixels <= 4000)) throw new Error('The width is from 50 to 4000 pixels')

const home = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
const pdf = await getDocument({
  data: new Uint8Array(await readFile(path)),
  verbosity: VerbosityLevel.ERRORS,
  isEvalSupported: false,
  standardFontDataUrl: join(home, 'standard_fonts/'),
  cMapUrl: join(home, 'cmaps/'),
  cMapPacked: true,
  wasmUrl: join(home, 'wasm/'),
}).promise
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
