import { damaged, notReadable, tooComplex } from '../parse.ts'

/** The directory of one page: what is known about it, by the number of the field. */
export interface TiffPage {
  numbers(field: number): number[]
  /** One that stands for a value that isn't written. */
  number(field: number, otherwise: number): number
  bytes(field: number): Uint8Array | undefined
}

export const isTiff = (bytes: Uint8Array): boolean => {
  const start = Buffer.from(bytes.subarray(0, 4)).toString('hex')
  return start === '49492a00' || start === '4d4d002a'
}

export const fields = {
  kind: 254,
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  meaning: 262,
  bitOrder: 266,
  stripPlaces: 273,
  turn: 274,
  channels: 277,
  stripRows: 278,
  stripLengths: 279,
  across: 282,
  down: 283,
  planes: 284,
  faxOptions: 292,
  unit: 296,
  predictor: 317,
  colours: 320,
  tileWidth: 322,
  tileHeight: 323,
  tilePlaces: 324,
  tileLengths: 325,
  tables: 347,
} as const

const mostPages = 5_000
const mostFields = 500
/** Values of one field: a place for each row of a large picture. */
const mostValues = 200_000
const fieldBytes = 12
const previewFlag = 1

/** Bytes of a value by its type; 5 is a fraction. */
const typeBytes = new Map([
  [1, 1],
  [3, 2],
  [4, 4],
  [5, 8],
  [7, 1],
])

/** The pages of a TIFF, without previews, as far as it goes. Throws `damaged`, `too_complex`. */
export function pagesOfTiff(file: Uint8Array): { pages: TiffPage[]; isCutOff: boolean } {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const isLittle = file[0] === 0x49
  const pages: TiffPage[] = []
  const seen = new Set<number>()
  let at = file.length < 8 ? 0 : view.getUint32(4, isLittle)
  while (at > 0) {
    if (seen.has(at)) throw damaged('its pages run in circles')
    seen.add(at)
    if (seen.size > mostPages) throw tooComplex('it has too many pages')
    if (at + 2 > file.length) break
    const count = view.getUint16(at, isLittle)
    const end = at + 2 + count * fieldBytes
    if (count > mostFields || end + 4 > file.length) break
    const page = pageAt(file, view, at + 2, count, isLittle)
    if ((page.number(fields.kind, 0) & previewFlag) === 0) pages.push(page)
    at = view.getUint32(end, isLittle)
  }
  if (pages.length === 0) throw damaged('its end is missing, and its pages with it')
  // It stopped where the next page would have been.
  return { pages, isCutOff: at > 0 }
}

function pageAt(file: Uint8Array, view: DataView, start: number, count: number, isLittle: boolean): TiffPage {
  const entries = new Map<number, { type: number; count: number; at: number }>()
  for (let at = start; at < start + count * fieldBytes; at += fieldBytes) {
    const [type, values] = [view.getUint16(at + 2, isLittle), view.getUint32(at + 4, isLittle)]
    const bytes = (typeBytes.get(type) ?? 0) * values
    const place = bytes <= 4 ? at + 8 : view.getUint32(at + 8, isLittle)
    if (bytes > 0 && place + bytes <= file.length && values <= Math.max(mostValues, file.length))
      entries.set(view.getUint16(at, isLittle), { type, count: values, at: place })
  }
  const valueAt = (type: number, at: number): number => {
    if (type === 3) return view.getUint16(at, isLittle)
    if (type === 4) return view.getUint32(at, isLittle)
    return type === 5 ? view.getUint32(at, isLittle) / (view.getUint32(at + 4, isLittle) || 1) : (file[at] ?? 0)
  }
  const numbers = (field: number): number[] => {
    const { type, count, at } = entries.get(field) ?? { type: 0, count: 0, at: 0 }
    const each = typeBytes.get(type) ?? 1
    return Array.from({ length: Math.min(count, mostValues) }, (_, index) => valueAt(type, at + index * each))
  }
  return {
    numbers,
    number: (field, otherwise) => (entries.has(field) ? (numbers(field)[0] ?? otherwise) : otherwise),
    bytes(field) {
      const entry = entries.get(field)
      return entry && file.subarray(entry.at, entry.at + entry.count)
    },
  }
}

export const unusual = (what: string): Error => notReadable(`a TIFF with ${what}`, 'Ask for it as a PDF, PNG or JPEG.')
