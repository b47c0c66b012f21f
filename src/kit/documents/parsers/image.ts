import { imageSize } from 'image-size'
import { damaged, type Parser } from '../parse.ts'

const names = new Map([
  ['png', 'PNG'],
  ['jpg', 'JPEG'],
  ['gif', 'GIF'],
  ['webp', 'WebP'],
  ['bmp', 'BMP'],
  ['tiff', 'TIFF'],
  ['heif', 'HEIF'],
  ['ico', 'icon'],
])

/** How the camera was held (EXIF). */
const orientations = new Map([
  [3, 'It is meant to be shown rotated by 180°.'],
  [6, 'It is meant to be shown rotated by 90° clockwise.'],
  [8, 'It is meant to be shown rotated by 90° counter-clockwise.'],
])

/** What kind of image it is; its content isn't read. Throws `damaged`. */
export const parseImage: Parser = async ({ bytes }) => {
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

function sizeOf(bytes: Uint8Array): ReturnType<typeof imageSize> {
  try {
    return imageSize(bytes)
  } catch (thrown) {
    throw damaged('it isn’t a complete image', thrown)
  }
}
