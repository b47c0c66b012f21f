import { deflateSync } from 'node:zlib'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { PDFDocument, PDFName } from 'pdf-lib'
import { expect, onTestFinished, test } from 'vitest'
import { painters } from '../../../src/kit/documents/pool-options.ts'
import { oneReader } from '../../support/readers.ts'
import { scanOf } from './scans.ts'

const { signal } = new AbortController()

function painter() {
  const pool = oneReader({ program: painters })
  onTestFinished(() => pool.stop())
  return pool
}

/** The share of dark pixels. */
async function darkness(picture: Uint8Array) {
  const image = await loadImage(Buffer.from(picture))
  const { width, height } = image
  const context = createCanvas(width, height).getContext('2d')
  context.drawImage(image, 0, 0)
  const { data } = context.getImageData(0, 0, width, height)
  let dark = 0
  for (let at = 0; at < data.length; at += 4) if ((data[at] ?? 255) < 128) dark++
  return { width, height, dark: dark / (width * height) }
}

test('a page of a scan is drawn as large as asked, with its letters', async () => {
  const pool = painter()
  const pdf = await scanOf('', 'Letters '.repeat(200))
  const [empty, full] = [
    await darkness(await pool.picture(pdf, { page: 1, mostPixels: 500_000 }, signal)),
    await darkness(await pool.picture(pdf, { page: 2, mostPixels: 500_000 }, signal)),
  ]
  expect(full.width * full.height).toBeGreaterThan(480_000)
  expect(full.width * full.height).toBeLessThanOrEqual(500_000)
  expect(empty.dark).toBe(0)
  expect(full.dark).toBeGreaterThan(0.004)
})

test('a page of any size is drawn within the limit, and one that isn’t there is damage', async () => {
  const pool = painter()
  const pdf = await PDFDocument.create()
  pdf.addPage([14_000, 14_000]).drawRectangle({ x: 0, y: 0, width: 7_000, height: 14_000 })
  const bytes = await pdf.save()
  const { width, height, dark } = await darkness(await pool.picture(bytes, { page: 1, mostPixels: 250_000 }, signal))
  expect([width, height]).toEqual([500, 500])
  expect(dark).toBeCloseTo(0.5, 1)
  await expect(pool.picture(bytes, { page: 9, mostPixels: 250_000 }, signal)).rejects.toMatchObject({ code: 'damaged' })
})

test('of a page that has text, only the rest is drawn', async () => {
  const pdf = await PDFDocument.create()
  const page = pdf.addPage([600, 600])
  page.drawText('READ', { x: 0, y: 300, size: 200 })
  page.drawRectangle({ x: 0, y: 0, width: 600, height: 60 })
  const { dark } = await darkness(await painter().picture(await pdf.save(), { page: 1, mostPixels: 250_000 }, signal))
  expect(dark).toBeCloseTo(0.1, 2)
})

/** Only its beginning: it says that it has 20,000 × 20,000 pixels. */
function hugePng(): Uint8Array {
  const bytes = createCanvas(2, 2).toBuffer('image/png')
  bytes.writeUInt32BE(20_000, 16)
  bytes.writeUInt32BE(20_000, 20)
  return bytes
}

test('an image of 20,000 × 20,000 pixels isn’t decoded, nor what is no image', async () => {
  const pool = painter()
  const order = { page: 1, mostPixels: 250_000 }
  await expect(pool.picture(hugePng(), order, signal)).rejects.toMatchObject({ code: 'too_complex' })
  await expect(pool.picture(Buffer.from('plain'), order, signal)).rejects.toMatchObject({ code: 'damaged' })
})

/** A page with a picture of that size; `coded`: what its data claim to be. */
async function pictured(side: number, coded: Record<string, string>, data: Uint8Array): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  const page = pdf.addPage([600, 600])
  const picture = { Type: 'XObject', Subtype: 'Image', Width: side, Height: side, BitsPerComponent: 8 }
  const stream = pdf.context.stream(data, { ...picture, ColorSpace: 'DeviceGray', ...coded })
  page.node.setXObject(PDFName.of('Im0'), pdf.context.register(stream))
  const shown = pdf.context.stream('q 600 0 0 600 0 0 cm /Im0 Do Q')
  page.node.set(PDFName.of('Contents'), pdf.context.register(shown))
  return pdf.save()
}

test('a page that is white because its picture is too large or damaged says so', async () => {
  const pool = painter()
  const draw = (bytes: Uint8Array) => pool.picture(bytes, { page: 1, mostPixels: 250_000 }, signal)
  const black = (side: number) => deflateSync(Buffer.alloc(side * side))
  const { dark } = await darkness(await draw(await pictured(500, { Filter: 'FlateDecode' }, black(500))))
  expect(dark).toBeGreaterThan(0.99)
  const large = await pictured(20_000, { Filter: 'FlateDecode' }, black(500))
  await expect(draw(large)).rejects.toMatchObject({
    code: 'too_complex',
    message: expect.stringContaining('20000 × 20000 pixels'),
  })
  const broken = await pictured(500, { Filter: 'JPXDecode' }, Buffer.from('junk'))
  await expect(draw(broken)).rejects.toMatchObject({ code: 'damaged' })
})

test('a picture that is enlarged is smoothed, so that letters keep their shape', async () => {
  const stripes = deflateSync(Buffer.from(Array.from({ length: 100 * 100 }, (_, at) => (at % 2) * 255)))
  const small = await pictured(100, { Filter: 'FlateDecode' }, stripes)
  const image = await loadImage(Buffer.from(await painter().picture(small, { page: 1, mostPixels: 640_000 }, signal)))
  const context = createCanvas(800, 1).getContext('2d')
  context.drawImage(image, 0, 0)
  const { data } = context.getImageData(100, 0, 600, 1)
  const greys = data.filter((value, at) => at % 4 === 0 && value > 64 && value < 192)
  expect(greys.length / 600).toBeGreaterThan(0.3)
})
