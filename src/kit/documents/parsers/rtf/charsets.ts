/** Code pages of `\ansicpg`, as `TextDecoder` calls them. */
const codePages = new Map([
  [437, 'windows-1252'],
  [866, 'ibm866'],
  [874, 'windows-874'],
  [932, 'shift_jis'],
  [936, 'gb18030'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [10000, 'macintosh'],
  [65001, 'utf-8'],
])

/** Windows-1252 if it is unknown. */
export const encodingOfPage = (page: number): string =>
  codePages.get(page) ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : 'windows-1252')

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
