import { type Attributes, scanXml } from '../../scan-xml.ts'
import { builtInFormat, compile, general, type Show } from './format.ts'

export interface Styles {
  /** How a cell of this style shows its number. If the style is missing, as it is stored. */
  showOf(style: number): Show
  isStruck(style: number): boolean
}

export function readStyles(xml: Buffer | undefined, is1904: boolean): Styles {
  const formats = new Map<number, string>()
  const formatOfStyle: number[] = []
  const fontOfStyle: number[] = []
  const struckFonts = new Set<number>()
  let fonts = 0
  let inStyles = false
  // Conditional formats have formats too, whose numbers may be those of other ones.
  let inFormats = false
  let inFonts = false
  scanXml(xml ?? Buffer.alloc(0), {
    open(name, attributes) {
      if (name === 'cellXfs') inStyles = true
      if (name === 'numFmts') inFormats = true
      if (name === 'numFmt' && inFormats)
        formats.set(attributes.number('numFmtId') ?? -1, attributes.get('formatCode') ?? '')
      if (name === 'xf' && inStyles) {
        formatOfStyle.push(attributes.number('numFmtId') ?? 0)
        fontOfStyle.push(attributes.number('fontId') ?? 0)
      }
      if (name === 'fonts') inFonts = true
      if (name === 'font' && inFonts) fonts++
      if (name === 'strike' && inFonts && isOn(attributes)) struckFonts.add(fonts - 1)
    },
    close(name) {
      if (name === 'cellXfs') inStyles = false
      if (name === 'numFmts') inFormats = false
      if (name === 'fonts') inFonts = false
      return true
    },
  })
  const compiled = new Map<number, Show>()
  const showOf = (style: number): Show => {
    const id = formatOfStyle[style] ?? 0
    const known = compiled.get(id)
    if (known !== undefined) return known
    const format = formats.get(id) ?? builtInFormat(id)
    const show = format === undefined ? general : compile(format, is1904)
    compiled.set(id, show)
    return show
  }
  return { showOf, isStruck: (style) => struckFonts.has(fontOfStyle[style] ?? -1) }
}

/** An element such as `<strike/>`, which is on unless it says that it isn't. */
export const isOn = (attributes: Attributes): boolean => !/^(0|false)$/.test(attributes.get('val') ?? '')
