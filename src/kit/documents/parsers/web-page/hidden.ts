/** What can be asked of an element. */
export interface Attributed {
  getAttribute(name: string): string | null
  hasAttribute(name: string): boolean
}

/** Whether an element hides itself. Style sheets, and text in the colour of its background, aren't considered. */
export function isHidden(element: Attributed): boolean {
  if (element.hasAttribute('hidden') || element.getAttribute('aria-hidden')?.trim().toLowerCase() === 'true')
    return true
  if (['width', 'height'].some((name) => /^\s{0,9}0+(px|%)?\s{0,9}$/.test(element.getAttribute(name) ?? '')))
    return true
  const style = element.getAttribute('style')
  return style !== null && style !== '' && hides(declarations(style))
}

/** The rest of longer ones isn't read. */
const styleCharacters = 10_000

function declarations(style: string): Map<string, string> {
  const plain = withoutComments(style.slice(0, styleCharacters))
    .replace(/\\([0-9a-f]{1,6})\s?/gi, (_, code: string) => character(Number.parseInt(code, 16)))
    .replaceAll('\\', '')
    .toLowerCase()
  const found = new Map<string, string>()
  for (const declaration of plain.split(';')) {
    const colon = declaration.indexOf(':')
    if (colon > 0)
      found.set(
        declaration.slice(0, colon).trim(),
        declaration
          .slice(colon + 1)
          .replace('!important', '')
          .trim(),
      )
  }
  return found
}

const character = (code: number): string => (code > 0 && code < 0x110000 ? String.fromCodePoint(code) : '')

function withoutComments(style: string): string {
  let plain = ''
  for (let at = 0; at < style.length; ) {
    const start = style.indexOf('/*', at)
    plain += style.slice(at, start === -1 ? style.length : start)
    const end = start === -1 ? -1 : style.indexOf('*/', start + 2)
    if (end === -1) break
    at = end + 2
  }
  return plain
}

function hides(style: Map<string, string>): boolean {
  const of = (name: string) => style.get(name) ?? ''
  if (of('display') === 'none' || ['hidden', 'collapse'].includes(of('visibility'))) return true
  if (of('content-visibility') === 'hidden' || of('color') === 'transparent') return true
  if (of('-webkit-text-fill-color') === 'transparent') return true
  if (below(of('opacity'), 0.1) || below(of('font-size'), 2) || /^0[a-z%]*(\s|\/)/.test(of('font'))) return true
  if (['width', 'height', 'max-width', 'max-height'].some((name) => below(of(name), 2))) return true
  if (['left', 'top', 'right', 'bottom', 'margin-left', 'margin-top', 'text-indent'].some((name) => isFar(of(name))))
    return true
  if (/^rect\(\s{0,9}[01](px)?[\s,]/.test(of('clip'))) return true
  if (/^(inset\(\s{0,9}(50|100)%|circle\(\s{0,9}0)/.test(of('clip-path'))) return true
  return /scale[xy]?\(\s{0,9}0?\.?0*\s{0,9}[,)]|translate[xy]?\(\s{0,9}-\d{4}/.test(of('transform'))
}

/** For a length: pixels count as they are, and zero of any unit is zero. */
function below(value: string, least: number): boolean {
  const [, digits = '', unit = ''] = /^(\d{0,9}\.?\d{0,9})(px|pt|%)?/.exec(value) ?? []
  if (digits === '' || digits === '.') return false
  const number = Number(digits)
  const isLength = unit === 'px' || unit === 'pt' || value === digits
  return number === 0 || (isLength && number < least)
}

const isFar = (value: string): boolean =>
  /^-\d{4,}|^-(9[0-9]|[1-9]\d\d)(em|rem|vw|vh|%)/.test(value) || /^-999/.test(value)
