import { type Canvas, createCanvas, loadImage, type SKRSContext2D } from '@napi-rs/canvas'
import { imageSize } from 'image-size'
import { reasonOf } from '../../failure.ts'
import { damaged, notReadable, tooComplex } from '../parse.ts'
import { openPdf } from '../parsers/pdf/open.ts'
import type { PictureOrder } from '../read-request.ts'

/** What recognition of characters works best with. */
const dotsPerInch = 300
const pointsPerInch = 72

/** An image with more pixels isn't decoded. */
const mostDecodedPixels = 120_000_000

const quality = 90

const drawable = new Set(['png', 'jpg', 'webp', 'gif', 'bmp'])

/** A page of a PDF, or an image, as a JPEG on white. Throws a Failure. */
export const pictureOf = (bytes: Uint8Array, order: PictureOrder): Promise<Uint8Array> =>
  Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-') ? pageOf(bytes, order) : imageOf(bytes, order)

async function pageOf(bytes: Uint8Array, { page: number, mostPixels }: PictureOrder): Promise<Uint8Array> {
  const { pdf } = await openPdf({ bytes }, true)
  try {
    const page = await pdf.getPage(number)
    const { width, height } = page.getViewport({ scale: 1 })
    const scale = Math.min(dotsPerInch / pointsPerInch, Math.sqrt(mostPixels / (width * height)))
    const viewport = page.getViewport({ scale })
    const { canvas } = onWhite(viewport.width, viewport.height)
    // The library takes what Skia gives for what browsers have, whose types the build doesn't know.
    const surface = canvas as unknown as Parameters<typeof page.render>[0]['canvas']
    await page.render({ canvas: surface, viewport }).promise
    return encoded(canvas)
  } finally {
    await pdf.loadingTask.destroy()
  }
}

async function imageOf(bytes: Uint8Array, { mostPixels }: PictureOrder): Promise<Uint8Array> {
  const { width, height, type } = sizeOf(bytes)
  if (!drawable.has(type ?? '')) throw notReadable(`an image of the type ${type}`, 'Ask for it as PNG or JPEG.')
  if (width * height > mostDecodedPixels) throw tooComplex(`it has ${width} × ${height} pixels`)
  const image = await loadImage(bytes).catch((thrown) => {
    throw damaged(reasonOf(thrown), thrown)
  })
  const scale = Math.min(1, Math.sqrt(mostPixels / (image.width * image.height)))
  const { canvas, context } = onWhite(image.width * scale, image.height * scale)
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return encoded(canvas)
}

function sizeOf(bytes: Uint8Array): ReturnType<typeof imageSize> {
  try {
    return imageSize(bytes)
  } catch (thrown) {
    throw damaged('it isn’t a complete image', thrown)
  }
}

function onWhite(width: number, height: number): { canvas: Canvas; context: SKRSContext2D } {
  const canvas = createCanvas(Math.max(1, Math.floor(width)), Math.max(1, Math.floor(height)))
  const context = canvas.getContext('2d')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  return { canvas, context }
}

const encoded = (canvas: Canvas): Promise<Uint8Array> => canvas.encode('jpeg', quality)
