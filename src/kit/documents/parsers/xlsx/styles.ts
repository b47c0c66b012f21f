import { scanXml } from '../../scan-xml.ts'
import { builtInFormat, compile, general, type Show } from './format.ts'

/** How a cell of this style shows its number. If the style is missing, as it is stored. */
export type Styles = (style: number) => Show

export function readStyles(xml: Buffer | undefined, is1904: boolean): Styles {
  const formats = new Map<number, string>()
  const formatOfStyle: number[] = []
  let inStyles = false
  // Conditional formats have formats too, whose numbers may be those of other ones.
  let inFormats = false
  scanXml(xml ?? Buffer.alloc(0), {
    open(name, attributes) {
      if (name === 'cellXfs') inStyles = true
      if (name === 'numFmts') inFormats = true
      if (name === 'numFmt' && inFormats)
        formats.set(attributes.number('numFmtId') ?? -1, attributes.get('formatCode') ?? '')
      if (name === 'xf' && inStyles) formatOfStyle.push(attributes.number('numFmtId') ?? 0)
    },
    close(name) {
      if (name === 'cellXfs') inStyles = false
      if (name === 'numFmts') inFormats = false
      return true
    },
  })
  const compiled = new Map<number, Show>()
  return (style) => {
    const id = formatOfStyle[style] ?? 0
    const known = compiled.get(id)
    if (known !== undefined) return known
    const format = formats.get(id) ?? builtInFormat(id)
    const show = format === undefined ? general : compile(format, is1904)
    compiled.set(id, show)
    return show
  }
}
