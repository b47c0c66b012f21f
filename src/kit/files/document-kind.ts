import type { DocumentKind } from '../documents/document.ts'
import { isText } from './type.ts'

/** What certain bytes at a position say about a file. `*` stands for any byte. */
type Signature = [kind: DocumentKind | 'zip' | 'ole', at: number, bytes: string]

const signatures: Signature[] = [
  ['zip', 0, '50 4b 03 04'],
  ['zip', 0, '50 4b 05 06'],
  ['zip', 0, '50 4b 07 08 50 4b 03 04'], // one part of a divided archive that is whole
  ['zip', 0, '50 4b 30 30 50 4b 03 04'],
  ['ole', 0, 'd0 cf 11 e0 a1 b1 1a e1'],
  ['rtf', 0, '7b 5c 72 74 66'],
  ['image', 0, '89 50 4e 47'], // PNG
  ['image', 0, 'ff d8 ff'], // JPEG
  ['image', 0, '47 49 46 38'], // GIF
  ['image', 0, '52 49 46 46 * * * * 57 45 42 50'], // WebP
  ['image', 0, '42 4d * * * * 00 00 00 00'], // BMP
  ['image', 0, '49 49 2a 00'], // TIFF
  ['image', 0, '4d 4d 00 2a'],
  ['image', 4, '66 74 79 70 61 76 69 66'], // AVIF
  ['image', 4, '66 74 79 70 68 65 69'], // HEIC
  ['image', 4, '66 74 79 70 6d 69 66 31'],
  ['archive', 0, '1f 8b'], // gzip
  ['archive', 0, '42 5a 68'], // bzip2
  ['archive', 0, 'fd 37 7a 58 5a 00'], // xz
  ['archive', 0, '37 7a bc af 27 1c'], // 7z
  ['archive', 0, '52 61 72 21 1a 07'], // RAR
  ['archive', 0, '28 b5 2f fd'], // Zstandard
  ['archive', 257, '75 73 74 61 72'], // tar
]

const fits = (head: Uint8Array, [, at, bytes]: Signature): boolean =>
  bytes.split(' ').every((byte, index) => byte === '*' || head[at + index] === Number.parseInt(byte, 16))

/** A PDF may have some junk in front, or no header; readers search the first 1,024 bytes. A text may mention one. */
function isPdf(head: Uint8Array): boolean {
  const start = Buffer.from(head.subarray(0, 1024)).toString('latin1')
  const at = start.indexOf('%PDF-')
  if (at === 0 || (at > 0 && !isText(head))) return true
  return /^(?:[^\n]{0,100}\n){0,3}\d{1,7} \d{1,5} obj\b/.test(at === -1 ? start : start.slice(at))
}

/** A saved message or page, whatever its name: header lines, and what they must contain. */
function isMessage(head: Uint8Array): boolean {
  const start = Buffer.from(head.subarray(0, 4096)).toString('latin1')
  return (
    /^[A-Za-z-]{2,40}: /.test(start) && /^MIME-Version: ?1/im.test(start) && /^Content-Type: ?[a-z]+\//im.test(start)
  )
}

/** UTF-16 without a mark: every other byte of most letters is zero, and no others. */
function isUnmarkedUtf16(head: Uint8Array): boolean {
  const zeros = [0, 0]
  for (const [index, byte] of head.subarray(0, 1024).entries())
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  return Math.min(even, odd) === 0 && Math.max(even, odd) > Math.min(1024, head.length) / 4
}

/** Some programs pad their cells with NULs. */
const isTextWithNulls = (head: Uint8Array): boolean => {
  const rest = head.filter((byte) => byte !== 0)
  return rest.length > head.length / 2 && isText(rest)
}

const extensionOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

const textKinds: ReadonlyMap<string, DocumentKind> = new Map([
  ['csv', 'csv'],
  ['tsv', 'csv'],
  ['eml', 'email'],
  ['htm', 'html'],
  ['html', 'html'],
  ['ipynb', 'notebook'],
  ['xhtml', 'html'],
])

/** Programs on the web call a page or a table so, to have it opened by Office. */
const officeNames = new Set(['doc', 'xls'])

const isPage = (head: Uint8Array): boolean =>
  /^[^<]{0,3}\s*(<!--[^>]{0,500}-->\s*|<\?xml[^>]{0,200}>\s*)?<(!doctype html|html|table)[\s>]/i.test(
    Buffer.from(head.subarray(0, 1024)).toString('latin1'),
  )

/** What a text is that has a name of Office: several rows with tabs are a table. */
function calledOffice(extension: string, head: Uint8Array): DocumentKind | undefined {
  if (!officeNames.has(extension)) return undefined
  if (isPage(head)) return 'html'
  const [first = '', second = ''] = Buffer.from(head).toString('latin1').split('\n', 2)
  return extension === 'xls' && first.includes('\t') && second.includes('\t') ? 'csv' : undefined
}

/** `.csv` if the name, and not only the content, says what kind of document a text is; otherwise empty. */
export function namedSuffix(name: string): string {
  const extension = extensionOf(name)
  return textKinds.has(extension) || officeNames.has(extension) ? `.${extension}` : ''
}

/** Text that says by its first line what it is. */
function begunAs(head: Uint8Array): DocumentKind | undefined {
  const [, what] =
    /^(?:\ufeff|\u00ef\u00bb\u00bf)?\s*BEGIN:(VCARD|VCALENDAR)\s/i.exec(
      Buffer.from(head.subarray(0, 200)).toString('latin1'),
    ) ?? []
  if (what === undefined) return undefined
  return what.toUpperCase() === 'VCARD' ? 'contact' : 'calendar'
}

/**
 * Whether a file is read as a document, by its beginning (`headBytes` of type.ts) and, if it is text inside, by its
 * name. `zip` and `ole` are containers: only the whole file tells what is in them. Undefined: plain text, or something
 * that can't be read.
 */
export function documentKindOf(name: string, head: Uint8Array): DocumentKind | 'zip' | 'ole' | undefined {
  // Text may begin the same way: "BM" is two letters.
  const [kind] = signatures.find((signature) => fits(head, signature)) ?? []
  if (kind === 'rtf' || (kind !== undefined && !isText(head))) return kind
  if (isPdf(head)) return 'pdf'
  const extension = extensionOf(name)
  const named = textKinds.get(extension) ?? calledOffice(extension, head)
  if (isText(head)) return named ?? begunAs(head) ?? (isMessage(head) ? 'email' : undefined)
  return named === 'csv' && (isUnmarkedUtf16(head) || isTextWithNulls(head)) ? 'csv' : undefined
}
