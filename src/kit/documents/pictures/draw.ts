import { type Canvas, createCanvas, loadImage, type SKRSContext2D } from '@napi-rs/canvas'
import { imageSize } from 'image-size'
import { OPS, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { PDFOperatorList } from 'pdfjs-dist/types/src/display/api.js'
import { reasonOf } from '../../failure.ts'
import { damaged, notReadable, tooComplex } from '../parse.ts'
import { largestImage } from '../parsers/pdf/flaws.ts'
import { openPdf } from '../parsers/pdf/open.ts'
import type { PictureOrder } from '../read-request.ts'
import { isTiff } from './tiff.ts'
import { pdfOfTiff } from './tiff-pdf.ts'

/** What recognition of characters works best with. */
const dotsPerInch = 300
const pointsPerInch = 72

/** An image with more pixels isn't decoded. */
const mostDecodedPixels = 120_000_000

const quality = 90

const drawable = new Set(['png', 'jpg', 'webp', 'gif', 'bmp'])

/** A page of a PDF or TIFF without text that is no picture, or an image, as a JPEG on white. Throws a Failure. */
export async function pictureOf(bytes: Uint8Array, order: PictureOrder): Promise<Uint8Array> {
  if (isTiff(bytes)) return pageOf(pdfOfTiff(bytes, order.page, mostDecodedPixels), { ...order, page: 1 })
  return Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-') ? pageOf(bytes, order) : imageOf(bytes, order)
}

async function pageOf(bytes: Uint8Array, { page: number, mostPixels }: PictureOrder): Promise<Uint8Array> {
  const { pdf } = await openPdf({ bytes }, mostDecodedPixels)
  try {
    const page = await pdf.getPage(number)
    const { width, height } = page.getViewport({ scale: 1 })
    const scale = Math.min(dotsPerInch / pointsPerInch, Math.sqrt(mostPixels / (width * height)))
    const viewport = page.getViewport({ scale })
    const { canvas, context } = onWhite(viewport.width, viewport.height)
    keepSmooth(context)
    // The library takes what Skia gives for what browsers have, whose types the build doesn't know.
    const surface = canvas as unknown as Parameters<typeof page.render>[0]['canvas']
    const operationsFilter = (await hasText(page)) ? isNoText : null
    await page.render({ canvas: surface, viewport, ...(operationsFilter && { operationsFilter }) }).promise
    if (isWhite(context)) checkPictures(page, bytes)
    return encoded(canvas)
  } finally {
    await pdf.loadingTask.destroy()
  }
}

/**
 * pdf.js enlarges pictures without smoothing, as viewers do. That makes letters jagged, and Tesseract reads across
 * columns.
 */
const keepSmooth = (context: SKRSContext2D): void => {
  Object.defineProperty(context, 'imageSmoothingEnabled', { get: () => true, set: () => {} })
}

/** What can be read without drawing it doesn't have to be recognized. */
async function hasText(page: PDFPageProxy): Promise<boolean> {
  const { items } = await page.getTextContent()
  return items.some((item) => 'str' in item && item.str.trim() !== '')
}

const writing = new Set<number>([
  OPS.showText,
  OPS.showSpacedText,
  OPS.nextLineShowText,
  OPS.nextLineSetSpacingShowText,
])

const isNoText = (index: number, { fnArray }: PDFOperatorList): boolean => !writing.has(fnArray[index] ?? 0)

/** Whether there is nothing on it. */
function isWhite(context: SKRSContext2D): boolean {
  const { width, height } = context.canvas
  const { buffer } = context.getImageData(0, 0, width, height).data
  return new Uint32Array(buffer).every((pixel) => pixel === 0xffffffff)
}

/** The library leaves out pictures that it can't draw. Throws if the page may be white because of that. */
function checkPictures(page: PDFPageProxy, bytes: Uint8Array): void {
  const { width, height } = largestImage(bytes)
  if (width * height > mostDecodedPixels) throw tooComplex(`a picture in it has ${width} × ${height} pixels`)
  for (const [, image] of page.objs) if (image === null) throw damaged('its picture can’t be decoded')
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
