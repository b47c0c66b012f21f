/** Code pages of Windows, as `\ansicpg` and mail name them, and what `TextDecoder` calls them. */
const codePages = new Map([
  [437, 'ibm850'],
  [850, 'ibm850'],
  [866, 'ibm866'],
  [874, 'windows-874'],
  [932, 'shift_jis'],
  [936, 'gb18030'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [10000, 'macintosh'],
  [20866, 'koi8-r'],
  [21866, 'koi8-u'],
  [51932, 'euc-jp'],
  [51949, 'euc-kr'],
  [54936, 'gb18030'],
  [65001, 'utf-8'],
])

/** Windows-1252 if it is unknown. */
export function encodingOfPage(page: number): string {
  if (page >= 1250 && page <= 1258) return `windows-${page}`
  if (page >= 28592 && page <= 28599) return `iso-8859-${page - 28590}`
  return codePages.get(page) ?? 'windows-1252'
}

/** `\fcharset` of a font; undefined if the file's own code page applies. */
const charsets = new Map([
  [77, 10000],
  [128, 932],
  [129, 949],
  [134, 936],
  [136, 950],
  [161, 1253],
  [162, 1254],
  [163, 1258],
  [177, 1255],
  [178, 1256],
  [186, 1257],
  [204, 1251],
  [222, 874],
  [238, 1250],
])

export const pageOfCharset = (charset: number): number | undefined => charsets.get(charset)

const leads: ReadonlyMap<string, (byte: number) => boolean> = new Map([
  ['shift_jis', (byte: number) => (byte > 0x80 && byte < 0xa0) || (byte >= 0xe0 && byte < 0xfd)],
  ...['gb18030', 'big5', 'euc-kr'].map((name): [string, (byte: number) => boolean] => [
    name,
    (byte) => byte > 0x80 && byte < 0xff,
  ]),
])

/** Whether the last byte is the first of a character of two, of which the other may look like ASCII. */
export function isHalf(bytes: readonly number[], encoding: string): boolean {
  const isLead = leads.get(encoding)
  if (isLead === undefined) return false
  let at = 0
  while (at < bytes.length) at += isLead(bytes[at] ?? 0) ? 2 : 1
  return at > bytes.length
}
