import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createCanvas, GlobalFonts, loadImage } from '@napi-rs/canvas'

// A machine may have no fonts; these come with the reader of PDFs.
const fonts = join(dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')), 'standard_fonts')
for (const name of ['Regular', 'Bold'])
  GlobalFonts.registerFromPath(join(fonts, `LiberationSans-${name}.ttf`), 'Liberation Sans')

/** Draws an SVG as a PNG of twice its size. */
export async function draw(svg, out, { width, height }) {
  const image = await loadImage(Buffer.from(svg))
  const canvas = createCanvas(width * 2, height * 2)
  canvas.getContext('2d').drawImage(image, 0, 0, width * 2, height * 2)
  await writeFile(out, canvas.toBuffer('image/png'))
}

/** Characters that no font here has. They are drawn as the chart is, and look like one that no font has anywhere. */
export async function withoutFont(text) {
  const all = Array.from(new Set(text)).filter((one) => one > '~' && !/[\s\p{M}\p{Cc}\p{Cf}\p{Cs}]/u.test(one))
  if (all.length === 0) return []
  const [size, wide] = [32, 64]
  const place = (at) => [(at % wide) * size, Math.floor(at / wide) * size]
  const words = [...all, '\u{10FFFD}'].map((one, at) => {
    const [x, y] = place(at)
    return `<text x="${x + 4}" y="${y + 24}" font-family="Liberation Sans, Arial, Helvetica, sans-serif" font-size="20">${one}</text>`
  })
  const [width, height] = [wide * size, Math.ceil(words.length / wide) * size]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${words.join('')}</svg>`
  const context = createCanvas(width, height).getContext('2d')
  context.drawImage(await loadImage(Buffer.from(svg)), 0, 0)
  const drawn = words.map((_, at) => Buffer.from(context.getImageData(...place(at), size, size).data))
  return all.filter((_, at) => drawn[at].equals(drawn.at(-1)))
}
