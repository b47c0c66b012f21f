import { type DateFormat, formatDate } from './dates.ts'
import { languageOf, namesIn } from './locale.ts'
import { formatNumber, writesOwnSign } from './number.ts'

/** Formats that a file doesn't contain. Those that depend on a reader's country are shown as ISO dates. */
const builtIn = new Map<number, string>([
  [0, 'General'],
  [1, '0'],
  [2, '0.00'],
  [3, '#,##0'],
  [4, '#,##0.00'],
  [5, '$#,##0;-$#,##0'],
  [6, '$#,##0;-$#,##0'],
  [7, '$#,##0.00;-$#,##0.00'],
  [8, '$#,##0.00;-$#,##0.00'],
  [9, '0%'],
  [10, '0.00%'],
  [11, '0.00E+00'],
  [12, '# ?/?'],
  [13, '# ??/??'],
  [14, 'yyyy-mm-dd'],
  [15, 'd-mmm-yy'],
  [16, 'd-mmm'],
  [17, 'mmm-yy'],
  [18, 'h:mm AM/PM'],
  [19, 'h:mm:ss AM/PM'],
  [20, 'h:mm'],
  [21, 'h:mm:ss'],
  [22, 'yyyy-mm-dd h:mm'],
  [37, '#,##0;(#,##0)'],
  [38, '#,##0;(#,##0)'],
  [39, '#,##0.00;(#,##0.00)'],
  [40, '#,##0.00;(#,##0.00)'],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mm:ss.0'],
  [48, '##0.0E+0'],
  [49, '@'],
])

/** East Asian dates and times. */
const isEastAsianDate = (id: number): boolean => (id >= 27 && id <= 36) || (id >= 50 && id <= 58)

export const builtInFormat = (id: number): string | undefined =>
  builtIn.get(id) ?? (isEastAsianDate(id) ? 'yyyy-mm-dd' : undefined)

/** A number as a sheet shows it. */
export type Show = (value: number) => string

interface Section {
  /** Compared with the value, if there is one. */
  condition?: { sign: string; than: number }
  /** Quoted text begins with `"`; its closing quote has been removed. */
  tokens: string[]
  isColoured: boolean
  /** Names of months and days. */
  language: string
}

/** A number without a format: everything that is stored, as the formula bar shows it. */
export function general(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value)
  const plain = Number(value.toPrecision(15))
  return Math.abs(plain) >= 1e15 || (plain !== 0 && Math.abs(plain) < 1e-7)
    ? plain
        .toExponential()
        .replace(/e([+-])(\d)$/, 'E$10$2')
        .replace('e', 'E')
    : String(plain)
}

/**
 * Makes a function from a format such as `#,##0.00 "€";[Red]-#,##0.00`. If it doesn't know the format, it shows the
 * stored value.
 */
export function compile(format: string, is1904: boolean): Show {
  if (format === '' || format.length > 1000 || /^general$/i.test(format)) return general
  const all = split(format)
  // A last section with an @ is for texts only.
  const sections = all.length > 1 && all.at(-1)?.tokens.includes('@') ? all.slice(0, -1) : all
  const shows = sections.map((section) => showOf(section, is1904))
  // With conditions, a sign counts only if it is written before the digits.
  const hasConditions = sections.some(({ condition }) => condition !== undefined)
  const ownSigns = sections.map(({ tokens }, index) => (hasConditions ? writesOwnSign(tokens) : index > 0))
  const needSign = sections.map((section, index) => index > 0 && !hasConditions && isOnlyColoured(section, sections[0]))
  return (value) => {
    const index = sectionFor(value, sections)
    const show = shows[index]
    // A section that shows nothing hides the number, but whoever reads the text wants it all the same.
    if (show === undefined || sections[index]?.tokens.length === 0) return general(value)
    const shown = show(ownSigns[index] ? Math.abs(value) : value).trim() || general(value)
    return needSign[index] && value < 0 && /^[^-]*[1-9]/.test(shown) ? `-${shown}` : shown
  }
}

/** Whether a section differs from the first only by its colour. Text doesn't show that, so it needs the sign. */
const isOnlyColoured = ({ isColoured, tokens }: Section, first: Section | undefined): boolean =>
  isColoured && tokens.every((token) => !isText(token) || first?.tokens.includes(token))

const isText = (token: string): boolean => !/^("?\s*|[\d#?.,]+)$/.test(token)

function showOf(section: Section, is1904: boolean): Show {
  const date = dateOf(section)
  if (date !== undefined) {
    return (value) => {
      // Only a workbook that counts from 1904 can show a time before zero.
      const isNegative = is1904 && value < 0
      const shown = formatDate(isNegative ? -value : value, date, is1904)
      return shown === undefined ? general(value) : `${isNegative ? '-' : ''}${shown}`
    }
  }
  return (value) => formatNumber(value, section.tokens, general)
}

function sectionFor(value: number, sections: Section[]): number {
  const conditional = sections.findIndex(({ condition }) => condition !== undefined && holds(value, condition))
  if (conditional !== -1) return conditional
  if (sections.some(({ condition }) => condition !== undefined)) {
    const otherwise = sections.findLastIndex(({ condition }) => condition === undefined)
    return otherwise === -1 ? sections.length : otherwise
  }
  if (value < 0 && sections.length > 1) return 1
  return value === 0 && sections.length > 2 ? 2 : 0
}

function holds(value: number, { sign, than }: { sign: string; than: number }): boolean {
  if (sign === '<') return value < than
  if (sign === '<=') return value <= than
  if (sign === '>') return value > than
  if (sign === '>=') return value >= than
  return sign === '=' ? value === than : value !== than
}

/** The next element of a format: quoted text, an escaped character, brackets, a run of one letter, anything else. */
const pieces =
  /"([^"]*)"?|\\(.)|_.|\*.|\[([^\]]*)\]|AM\/PM|A\/P|a{3,4}|General|E[+-]|([ymdhs])\4*|\.0+(?=[^0#?]|$)|./gisu

function split(format: string): Section[] {
  const sections: Section[] = [{ tokens: [], isColoured: false, language: 'en' }]
  for (const match of format.matchAll(pieces)) {
    const [piece, quoted, escaped, bracket] = match
    const section = sections.at(-1)
    if (section === undefined) break
    if (piece === ';') sections.push({ tokens: [], isColoured: false, language: 'en' })
    else if (quoted !== undefined) section.tokens.push(`"${quoted}`)
    else if (escaped !== undefined) section.tokens.push(`"${escaped}`)
    else if (bracket !== undefined) bracketed(bracket, section)
    else if (piece.startsWith('_')) section.tokens.push('" ')
    else if (!piece.startsWith('*')) section.tokens.push(piece)
  }
  return sections
}

const colour = /^(black|blue|cyan|green|magenta|red|white|yellow|colou?r\s*\d+)$/i

function bracketed(inside: string, section: Section): void {
  const [, sign, than] = /^(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?)$/.exec(inside) ?? []
  if (sign !== undefined) section.condition = { sign, than: Number(than) }
  else if (/^(h+|m+|s+)$/i.test(inside)) section.tokens.push(`[${inside}]`)
  // A currency and a country, `[$€-407]`; without a currency the country alone.
  else if (inside.startsWith('$')) {
    section.tokens.push(`"${inside.slice(1).split('-')[0]}`)
    section.language = languageOf(inside.slice(1))
  } else if (colour.test(inside)) section.isColoured = true
}

/** Undefined if the section shows no date. */
function dateOf({ tokens, language }: Section): DateFormat | undefined {
  if (!tokens.some((token) => /^(\[?[ymdhs]|aaa)/i.test(token))) return undefined
  if (tokens.some((token) => token === '#' || token === '?')) return undefined
  const fraction = tokens.find((token) => /^\.0/.test(token))
  return {
    tokens: tokens.map((token) => (token === 'A/P' ? 'AM/PM' : token)),
    is12Hours: tokens.some((token) => /^(AM\/PM|A\/P)$/i.test(token)),
    fraction: Math.min(3, (fraction?.length ?? 1) - 1),
    names: namesIn(
      language,
      tokens.some((token) => /^dd?$/i.test(token)),
    ),
  }
}
