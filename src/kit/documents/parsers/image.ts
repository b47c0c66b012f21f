import { imageSize } from 'image-size'
import type { ParsedDocument } from '../document.ts'
import { damaged, endMissing, notReadable, type ParseLimits, type Parser, Parts } from '../parse.ts'
import { isTiff, pagesOfTiff } from '../pictures/tiff.ts'

const names = new Map([
  ['png', 'PNG'],
  ['jpg', 'JPEG'],
  ['gif', 'GIF'],
  ['webp', 'WebP'],
  ['bmp', 'BMP'],
  ['ico', 'icon'],
])

/** How the camera was held (EXIF). */
const orientations = new Map([
  [3, 'It is meant to be shown rotated by 180°.'],
  [6, 'It is meant to be shown rotated by 90° clockwise.'],
  [8, 'It is meant to be shown rotated by 90° counter-clockwise.'],
])

/** What kind of image it is; its content isn't read. A TIFF has pages, as a scanned PDF has. Throws `damaged`. */
export const parseImage: Parser = async ({ bytes }, limits) => {
  if (isTiff(bytes)) return scannedPages(bytes, limits)
  if (isHeic(bytes)) throw notReadable('a photo in the HEIC format', heicRemedy)
  const { width, height, type, orientation, images } = sizeOf(bytes)
  const format = names.get(type ?? '') ?? (type ?? '').toUpperCase()
  const sentences = [
    `${format} image, ${width} × ${height} pixels.`.trimStart(),
    orientations.get(orientation ?? 1) ?? '',
    images !== undefined && images.length > 1 ? `It holds ${images.length} images.` : '',
  ]
  return {
    kind: 'image',
    notes: ['What it shows is not read here.'],
    parts: [{ unit: 'section', number: 1, text: sentences.filter(Boolean).join(' ') }],
  }
}

const isHeic = (bytes: Uint8Array): boolean =>
  /^ftyp(hei|hev|mif1|msf1)/.test(Buffer.from(bytes.subarray(4, 12)).toString('latin1'))

const heicRemedy =
  'Ask for it as JPEG or PDF: on an iPhone, File, Print makes a PDF, and with Settings, Camera, Formats, Most Compatible photos are JPEG.'

function scannedPages(bytes: Uint8Array, limits: ParseLimits): ParsedDocument {
  const { pages, isCutOff } = pagesOfTiff(bytes)
  const count = pages.length
  const parts = new Parts(limits)
  for (let number = 1; number <= count; number++) if (!parts.add({ unit: 'page', number, text: '' })) break
  const what = `A TIFF with ${count} ${count === 1 ? 'page' : 'pages'}, which are pictures.`
  const notes = [what, ...(isCutOff ? [endMissing] : []), ...parts.notes()]
  return { kind: 'pdf', notes, parts: parts.list }
}

function sizeOf(bytes: Uint8Array): ReturnType<typeof imageSize> {
  try {
    return imageSize(bytes)
  } catch (thrown) {
    throw damaged('it isn’t a complete image', thrown)
  }
}
