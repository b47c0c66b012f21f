import { allOf, elementsOf, textOf, within, type XmlElement } from '../../xml.ts'
import { Words } from '../docx/inline.ts'
import { mathOf } from '../docx/math.ts'
import { numberAs } from '../docx/numbering.ts'
import { markdownTable, type TableCell } from '../docx/tables.ts'
import { raised } from '../text/marks.ts'
import type { Relationship } from './package.ts'

type Links = ReadonlyMap<string, Relationship>

/** An address is stored once in a file, but may be shown at every word. */
const addressCharacters = 500

/** The words of a paragraph; a link is followed by its address. */
export function lineOf(paragraph: XmlElement, links: Links): string {
  const words = new Words()
  const walk = (element: XmlElement, look: Look): void => {
    for (const child of elementsOf(element)) {
      if (child.name === 'a:t') words.say(look.isRaised ? raised(textOf(child)) : textOf(child), look)
      else if (child.name === 'm:oMath') words.say(mathOf(child), plain)
      else if (child.name === 'a:br') words.say('\n', plain)
      else if (child.name === 'mc:AlternateContent') {
        const choice = within(child, 'mc:Choice') ?? within(child, 'mc:Fallback')
        if (choice !== undefined) walk(choice, look)
      } else if (child.name === 'a:r') {
        walk(child, lookOf(within(child, 'a:rPr')))
        words.say(addressOf(child, links), plain)
      } else if (child.name !== 'a:pPr' && child.name !== 'a:rPr' && child.name !== 'a:endParaRPr') walk(child, look)
    }
  }
  walk(paragraph, plain)
  return words
    .text()
    .replace(/[\v\f]/g, '\n')
    .trim()
}

interface Look {
  marks: string
  isRaised: boolean
  href: ''
}

const plain: Look = { marks: '', isRaised: false, href: '' }

function lookOf(properties: XmlElement | undefined): Look {
  const isStruck = /^(sng|dbl)Strike$/.test(properties?.attributes.get('strike') ?? '')
  return { ...plain, marks: isStruck ? '~~' : '', isRaised: Number(properties?.attributes.get('baseline') ?? 0) > 0 }
}

function addressOf(run: XmlElement, links: Links): string {
  const id = within(run, 'a:rPr', 'a:hlinkClick')?.attributes.get('r:id')
  const link = links.get(id ?? '')
  if (link === undefined || !link.isExternal) return ''
  const address = link.target.slice(0, addressCharacters)
  return textOf(within(run, 'a:t')).trim() === address ? '' : ` (${address})`
}

/** Lines of a text body with the levels of its lists. `isList`: its paragraphs are items unless they say otherwise. */
export function bodyText(body: XmlElement | undefined, links: Links, isList: boolean): string {
  const lines: string[] = []
  const counts: Count[] = []
  for (const paragraph of allOf(body, 'a:p')) {
    const text = lineOf(paragraph, links)
    if (text === '') continue
    const properties = within(paragraph, 'a:pPr')
    const level = Math.min(8, Number(/^\d$/.exec(properties?.attributes.get('lvl') ?? '')?.[0] ?? 0))
    const label = labelOf(properties, level, isList, counts)
    const indent = label === '' && !isList ? '' : '  '.repeat(level)
    lines.push(`${indent}${label}${text.replaceAll('\n', ' ')}`)
  }
  return lines.join('\n')
}

/** How far a list has counted, and how it looks. */
interface Count {
  look: string
  number: number
}

function labelOf(properties: XmlElement | undefined, level: number, isList: boolean, counts: Count[]): string {
  const numbered = within(properties, 'a:buAutoNum')
  if (numbered !== undefined) {
    const type = numbered.attributes.get('type') ?? ''
    const start = Number(/^\d{1,5}$/.exec(numbered.attributes.get('startAt') ?? '')?.[0] ?? 1)
    const look = `${type} ${start}`
    const last = counts[level]
    const number = last?.look === look ? last.number + 1 : start
    counts[level] = { look, number }
    counts.length = level + 1
    return `${numberOf(type, number)} `
  }
  counts.length = Math.min(counts.length, level)
  if (within(properties, 'a:buNone') !== undefined) return ''
  const isBullet = within(properties, 'a:buChar') !== undefined || within(properties, 'a:buBlip') !== undefined
  return isBullet || isList ? '- ' : ''
}

const formats: ReadonlyMap<string, string> = new Map([
  ['alphaLc', 'lowerLetter'],
  ['alphaUc', 'upperLetter'],
  ['romanLc', 'lowerRoman'],
  ['romanUc', 'upperRoman'],
])

/** As a type of numbering (`romanLcParenR`) shows it; numbers of other scripts become digits. */
function numberOf(type: string, number: number): string {
  const text = numberAs(formats.get(/^[a-z]+[A-Z][a-z]/.exec(type)?.[0] ?? '') ?? 'decimal', number)
  if (type.endsWith('ParenBoth')) return `(${text})`
  if (type.endsWith('ParenR')) return `${text})`
  return type.endsWith('Plain') ? text : `${text}.`
}

/** Cells that belong to a merged one are stored in the file, and marked. */
export function tableText(table: XmlElement, links: Links): string {
  const rows = allOf(table, 'a:tr').map((row) =>
    allOf(row, 'a:tc')
      .filter(({ attributes }) => !isTrue(attributes.get('hMerge')) && !isTrue(attributes.get('vMerge')))
      .map(
        (cell): TableCell => ({
          text: bodyText(within(cell, 'a:txBody'), links, false),
          columns: spanOf(cell.attributes.get('gridSpan')),
          rows: spanOf(cell.attributes.get('rowSpan')),
        }),
      ),
  )
  return markdownTable(rows)
}

const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true' || value === 'on'

const spanOf = (value: string | undefined): number =>
  value !== undefined && /^\d{1,4}$/.test(value) ? Number(value) : 1

/** `Slides 2, 5 are hidden.`; if there are many, only the first ones. */
export function aboutSlides(what: string, numbers: readonly number[]): string[] {
  const [first] = numbers
  if (first === undefined) return []
  if (numbers.length === 1) return [`Slide ${first} is ${what}.`]
  const shown = numbers.slice(0, 50)
  const more = numbers.length > shown.length ? ` and ${numbers.length - shown.length} more` : ''
  return [`Slides ${shown.join(', ')}${more} are ${what}.`]
}
