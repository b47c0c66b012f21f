import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createCanvas, GlobalFonts, loadImage } from '@napi-rs/canvas'

/** Draws an SVG as a PNG of twice its size. */
export async function draw(svg, out, { width, height }) {
  // A machine may have no fonts; these come with the reader of PDFs.
  const fonts = join(dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')), 'standard_fonts')
  for (const name of ['Regular', 'Bold'])
    GlobalFonts.registerFromPath(join(fonts, `LiberationSans-${name}.ttf`), 'Liberation Sans')
  const image = await loadImage(Buffer.from(svg))
  const canvas = createCanvas(width * 2, height * 2)
  canvas.getContext('2d').drawImage(image, 0, 0, width * 2, height * 2)
  await writeFile(out, canvas.toBuffer('image/png'))
}
