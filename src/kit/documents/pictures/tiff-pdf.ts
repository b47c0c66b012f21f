import { damaged, tooComplex } from '../parse.ts'
import { fields, pagesOfTiff, type TiffPage, unusual } from './tiff.ts'

/** A strip or tile of a page, as it is stored, and its place from the top left. */
interface Tile {
  left: number
  top: number
  width: number
  height: number
  data: Uint8Array
}

const pointsPerInch = 72
const usualDots = 200

/**
 * One page of a TIFF as a PDF, in which it is drawn: what both formats store is packed in the same ways. `page` counts
 * from 1. Throws a Failure.
 */
export function pdfOfTiff(file: Uint8Array, page: number, mostPixels: number): Uint8Array {
  const found = pagesOfTiff(file).pages[page - 1]
  if (found === undefined) throw damaged(`it has no page ${page}`)
  const [width, height] = [found.number(fields.width, 0), found.number(fields.height, 0)]
  if (width === 0 || height === 0) throw damaged('a page has no size')
  if (width * height > mostPixels) throw tooComplex(`it has ${width} × ${height} pixels`)
  const entries = entriesOf(found)
  const pdf = new Pdf()
  const tiles = tilesOf(file, found, width, height)
  const images = tiles.map((tile) => pdf.add(`${sizeOf(tile)} ${entries(tile)}`, dataOf(found, tile.data)))
  const drawn = tiles.map(({ left, top, width: w, height: h }, index) => {
    return `q ${w} 0 0 ${h} ${left} ${height - top - h} cm /I${index} Do Q`
  })
  const [across, down] = scalesOf(found)
  const contents = pdf.add('', Buffer.from(`${across} 0 0 ${down} 0 0 cm\n${drawn.join('\n')}`))
  const names = images.map((image, index) => `/I${index} ${image} 0 R`).join(' ')
  const box = `[0 0 ${(width * across).toFixed(2)} ${(height * down).toFixed(2)}]`
  const turn = new Map([
    [3, 180],
    [6, 90],
    [8, 270],
  ]).get(found.number(fields.turn, 1))
  return pdf.end(
    `/MediaBox ${box} /Rotate ${turn ?? 0} /Contents ${contents} 0 R /Resources << /XObject << ${names} >> >>`,
  )
}

const sizeOf = ({ width, height }: Tile): string => `/Type /XObject /Subtype /Image /Width ${width} /Height ${height}`

/** Points per pixel; faxes have fewer lines than dots. */
function scalesOf(page: TiffPage): [number, number] {
  const perInch = page.number(fields.unit, 2) === 3 ? 2.54 : 1
  const [across, down] = [fields.across, fields.down].map((field) => page.number(field, 0) * perInch)
  const isKnown = [across, down].every((dots = 0) => dots >= 30 && dots <= 5000)
  return isKnown
    ? [pointsPerInch / (across ?? usualDots), pointsPerInch / (down ?? usualDots)]
    : [pointsPerInch / usualDots, pointsPerInch / usualDots]
}

/** Its strips, or tiles. Together they aren't longer than the file. */
function tilesOf(file: Uint8Array, page: TiffPage, width: number, height: number): Tile[] {
  const isTiled = page.numbers(fields.tilePlaces).length > 0
  const places = page.numbers(isTiled ? fields.tilePlaces : fields.stripPlaces)
  const lengths = page.numbers(isTiled ? fields.tileLengths : fields.stripLengths)
  const w = isTiled ? page.number(fields.tileWidth, 0) : width
  const h = isTiled ? page.number(fields.tileHeight, 0) : Math.min(height, page.number(fields.stripRows, height))
  if (w === 0 || h === 0 || places.length === 0) throw damaged('a page has no picture')
  const columns = Math.ceil(width / w)
  let room = file.length
  return places.slice(0, columns * Math.ceil(height / h)).map((place, index) => {
    // Some programs leave out the length of a single strip.
    const length = lengths[index] ?? (places.length === 1 ? file.length - place : 0)
    room -= length
    if (room < 0 || place + length > file.length) throw damaged('a part of its picture is missing')
    const top = Math.floor(index / columns) * h
    const rows = isTiled ? h : Math.min(h, height - top)
    return { left: (index % columns) * w, top, width: w, height: rows, data: file.subarray(place, place + length) }
  })
}

const fax = new Set([2, 3, 4])
const jpeg = 7

/** Entries of an image's dictionary about its colours and how it is packed. */
function entriesOf(page: TiffPage): (tile: Tile) => string {
  const compression = page.number(fields.compression, 1)
  const [bits, channels] = [page.number(fields.bits, 1), page.number(fields.channels, 1)]
  const meaning = page.number(fields.meaning, 0)
  if (channels > 1 && page.number(fields.planes, 1) !== 1) throw unusual('separate colours')
  if (![1, 2, 4, 8].includes(bits)) throw unusual(`${bits} bits for each colour`)
  const isTurned = fax.has(compression) ? meaning === 1 : meaning === 0
  const decode = isTurned && channels === 1 ? '/Decode [1 0]' : ''
  const colours = `/BitsPerComponent ${bits} /ColorSpace ${spaceOf(page, meaning, channels, bits)} ${decode}`
  return (tile) => `${colours} ${filterOf(page, compression, tile, bits, channels, meaning)}`
}

function filterOf(
  page: TiffPage,
  compression: number,
  { width, height }: Tile,
  bits: number,
  channels: number,
  meaning: number,
): string {
  const predicted =
    page.number(fields.predictor, 1) === 2
      ? `/DecodeParms << /Predictor 2 /Colors ${channels} /BitsPerComponent ${bits} /Columns ${width} >>`
      : ''
  if (fax.has(compression)) {
    const options = page.number(fields.faxOptions, 0)
    const k = compression === 4 ? -1 : compression === 3 ? options & 1 : 0
    const parms = `/K ${k} /Columns ${width} /Rows ${height} /EncodedByteAlign ${compression === 2} /EndOfBlock false`
    return `/Filter /CCITTFaxDecode /DecodeParms << ${parms} >>`
  }
  if (compression === 1) return ''
  if (compression === 5) return `/Filter /LZWDecode ${predicted}`
  if (compression === 8 || compression === 32_946) return `/Filter /FlateDecode ${predicted}`
  if (compression === 32_773) return '/Filter /RunLengthDecode'
  if (compression === jpeg) return `/Filter /DCTDecode /DecodeParms << /ColorTransform ${meaning === 6 ? 1 : 0} >>`
  throw unusual(`an unusual packing (${compression})`)
}

function spaceOf(page: TiffPage, meaning: number, channels: number, bits: number): string {
  if (meaning === 3) return paletteOf(page, bits)
  const [name, own] = meaning === 5 ? ['DeviceCMYK', 4] : channels >= 3 ? ['DeviceRGB', 3] : ['DeviceGray', 1]
  if (channels === own) return `/${name}`
  if (channels < own || channels > own + 2) throw unusual(`${channels} colours`)
  throw unusual('transparent parts')
}

/** All reds come first, then greens, then blues, as 16 bits each. */
function paletteOf(page: TiffPage, bits: number): string {
  const values = page.numbers(fields.colours)
  const count = 2 ** bits
  if (values.length < 3 * count) throw damaged('its colours are missing')
  const digits = Array.from({ length: 3 * count }, (_, index) => {
    const value = values[(index % 3) * count + Math.floor(index / 3)] ?? 0
    return (value >> 8).toString(16).padStart(2, '0')
  })
  return `[/Indexed /DeviceRGB ${count - 1} <${digits.join('')}>]`
}

/** Bits of a byte are in the order that a PDF has, and a JPEG has its tables. */
function dataOf(page: TiffPage, data: Uint8Array): Uint8Array {
  if (page.number(fields.bitOrder, 1) === 2) return data.map((byte) => turnedBits(byte))
  const tables = page.bytes(fields.tables)
  if (page.number(fields.compression, 1) !== jpeg || tables === undefined || tables.length < 4) return data
  return Buffer.concat([tables.subarray(0, -2), data.subarray(2)])
}

function turnedBits(byte: number): number {
  let turned = 0
  for (let bit = 0; bit < 8; bit++) if ((byte & (1 << bit)) !== 0) turned |= 0x80 >> bit
  return turned
}

/** Writes the objects of a PDF with one page. */
class Pdf {
  readonly #pieces: Uint8Array[] = [Buffer.from('%PDF-1.7\n')]
  readonly #places: number[] = []
  #length = 9

  /** A stream. Returns its number. */
  add(entries: string, data: Uint8Array): number {
    this.#begin(`<< ${entries} /Length ${data.length} >>\nstream\n`)
    this.#put(data)
    this.#put(Buffer.from('\nendstream\nendobj\n'))
    return this.#places.length
  }

  end(page: string): Uint8Array {
    const number = this.#places.length + 1
    this.#begin(`<< /Type /Page /Parent ${number + 1} 0 R ${page} >>\nendobj\n`)
    this.#begin(`<< /Type /Pages /Count 1 /Kids [${number} 0 R] >>\nendobj\n`)
    this.#begin(`<< /Type /Catalog /Pages ${number + 1} 0 R >>\nendobj\n`)
    const start = this.#length
    const rows = this.#places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`)
    const table = `xref\n0 ${rows.length + 1}\n0000000000 65535 f \n${rows.join('')}`
    const trailer = `trailer\n<< /Size ${rows.length + 1} /Root ${number + 2} 0 R >>\nstartxref\n${start}\n%%EOF\n`
    this.#put(Buffer.from(table + trailer))
    return Buffer.concat(this.#pieces)
  }

  #begin(text: string): void {
    this.#places.push(this.#length)
    this.#put(Buffer.from(`${this.#places.length} 0 obj\n${text}`))
  }

  #put(bytes: Uint8Array): void {
    this.#pieces.push(bytes)
    this.#length += bytes.length
  }
}
