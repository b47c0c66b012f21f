import { columnLetters } from '../../cells.ts'
import { allOf, descendants, elementsOf, textOf, within, type XmlElement } from '../../xml.ts'
import { type Chart, diagramLines, readChart } from '../pptx/chart.ts'
import { readOfficeXml } from '../pptx/package.ts'
import { lineOf } from '../pptx/text.ts'
import type { Package, Relation } from './workbook.ts'

/** More are counted, not shown. */
const mostDrawn = 500

const anchors = new Set(['xdr:twoCellAnchor', 'xdr:oneCellAnchor', 'xdr:absoluteAnchor'])

/** The words of what lies on a sheet: text boxes, charts with their values, diagrams, descriptions of pictures. */
export async function readDrawings(file: Package, relations: Iterable<Relation>): Promise<string[]> {
  const texts: string[] = []
  let more = 0
  for (const { type, path } of relations) {
    const xml = type === 'drawing' ? await file.read(path) : undefined
    if (xml === undefined) continue
    const parts = await file.relations(path)
    const seen = new Set<string>()
    // A file may refer to one chart a million times.
    const read = async (id: string | undefined): Promise<XmlElement | undefined> => {
      const target = parts.get(id ?? '')?.path
      if (target === undefined || seen.has(target)) return undefined
      seen.add(target)
      const bytes = await file.read(target)
      return bytes === undefined ? undefined : readOfficeXml(bytes)
    }
    for (const anchor of elementsOf(readOfficeXml(xml)).flatMap(chosen)) {
      if (!anchors.has(anchor.name)) continue
      const at = placeOf(anchor)
      for (const shape of shapesIn(anchor)) {
        const text = texts.length < mostDrawn ? await textOfShape(shape, at, read) : ''
        if (text !== '') texts.push(text)
        else if (texts.length >= mostDrawn) more++
      }
    }
  }
  return more > 0 ? [...texts, `… and ${more} more`] : texts
}

const chosen = (element: XmlElement): XmlElement[] =>
  element.name === 'mc:AlternateContent'
    ? elementsOf(within(element, 'mc:Choice') ?? within(element, 'mc:Fallback'))
    : [element]

/** ` at B4`: the cell where it begins. */
function placeOf(anchor: XmlElement): string {
  const [column, row] = ['xdr:col', 'xdr:row'].map((name) =>
    Number(textOf(within(anchor, 'xdr:from', name)) || Number.NaN),
  )
  return column === undefined || row === undefined || !(column >= 0 && column < 20_000) || !(row >= 0)
    ? ''
    : ` at ${columnLetters(column + 1)}${row + 1}`
}

/** Those in groups, too. */
function* shapesIn(parent: XmlElement): Generator<XmlElement> {
  for (const child of elementsOf(parent).flatMap(chosen)) {
    if (child.name === 'xdr:grpSp') yield* shapesIn(child)
    else if (['xdr:sp', 'xdr:graphicFrame', 'xdr:pic'].includes(child.name)) yield child
  }
}

async function textOfShape(
  shape: XmlElement,
  at: string,
  read: (id: string | undefined) => Promise<XmlElement | undefined>,
): Promise<string> {
  if (shape.name === 'xdr:sp') {
    const lines = allOf(within(shape, 'xdr:txBody'), 'a:p').map((paragraph) => lineOf(paragraph, new Map()))
    const text = lines.filter((line) => line !== '').join('\n')
    return text === '' ? '' : `Text box${at}: ${text}`
  }
  if (shape.name === 'xdr:pic') {
    const named = within(shape, 'xdr:nvPicPr', 'xdr:cNvPr')?.attributes
    const alt = (named?.get('descr') || named?.get('title') || '').replace(/\s+/g, ' ').trim()
    return alt === '' ? '' : `[image${at}: ${alt}]`
  }
  const [chart] = descendants(shape, 'c:chart', 'cx:chart')
  if (chart !== undefined) {
    const data = await read(chart.attributes.get('r:id'))
    return data === undefined ? '' : linesOfChart(readChart(data), at)
  }
  const [diagram] = descendants(shape, 'dgm:relIds')
  const data = await read(diagram?.attributes.get('r:dm'))
  const lines = data === undefined ? [] : diagramLines(data)
  return lines.length === 0 ? '' : [`Diagram${at}:`, ...lines.map((line) => `- ${line}`)].join('\n')
}

/** Lines instead of a table: the only table of a sheet is its cells. */
export function linesOfChart({ title, rows: [head = [], ...rows] }: Chart, at: string): string {
  const names = head.slice(1).map(({ text }) => text)
  const lines = rows.map(([category, ...values]) => {
    const shown = values.flatMap(({ text }, index) =>
      text === '' ? [] : [[names[index], text].filter(Boolean).join(' ')],
    )
    return `- ${category?.text ?? ''}: ${shown.join(', ')}`
  })
  return [`Chart${at}: ${title}`.trim(), ...lines].join('\n')
}
