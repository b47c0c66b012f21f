import { descendants, textOf, within, type XmlElement } from '../../xml.ts'
import type { Zip } from '../../zip.ts'
import { markdownTable } from '../docx/tables.ts'
import type { Chart } from '../pptx/chart.ts'
import { linesOf } from './lines.ts'
import { cellsOf, rowsOf } from './rows.ts'

/** What lies in a file of its own within an OpenDocument file. */
export type EmbeddedObject = { chart: Chart } | { formula: string }

/** By the address that refers to it. */
export type Objects = ReadonlyMap<string, EmbeddedObject>

const mostObjects = 500

const addressOf = (object: XmlElement | undefined): string => object?.attributes.get('xlink:href') ?? ''

/** The charts and formulas that these refer to. `read`: a file of the archive as XML. */
export async function objectsIn(
  zip: Zip,
  references: Iterable<XmlElement>,
  read: (name: string) => Promise<XmlElement>,
): Promise<Objects> {
  const found = new Map<string, EmbeddedObject>()
  const looked = new Set<string>()
  for (const reference of references) {
    const address = addressOf(reference)
    const name = `${address.replace(/^\.\//, '').replace(/\/$/, '')}/content.xml`
    if (looked.has(address) || looked.size >= mostObjects || !zip.has(name)) continue
    looked.add(address)
    const object = objectOf(await read(name))
    if (object !== undefined) found.set(address, object)
  }
  return found
}

function objectOf(root: XmlElement): EmbeddedObject | undefined {
  const [chart] = descendants(root, 'chart:chart')
  if (chart !== undefined) return { chart: chartOf(chart) }
  const [formula] = descendants(root, 'math:annotation')
  const written = textOf(formula).replace(/\s+/g, ' ').trim()
  return written === '' ? undefined : { formula: written }
}

/** Its values are a table of its own: the series beside each other, below their names. */
function chartOf(chart: XmlElement): Chart {
  const table = within(chart, 'table:table')
  const rows =
    table === undefined ? [] : [...rowsOf(table)].map((row) => cellsOf(row).map((cell) => ({ text: shownIn(cell) })))
  return { title: linesOf(within(chart, 'chart:title')).join(' '), rows: rows.length > 1 ? rows : [] }
}

/** How a value is stored that there isn't. */
const missing = 'NaN'

function shownIn(cell: XmlElement): string {
  const text = linesOf(cell).join(' ') || (cell.attributes.get('office:value') ?? '')
  return text === missing ? '' : text
}

/** The object that a frame shows. */
export const objectIn = (frame: XmlElement, objects: Objects | undefined): EmbeddedObject | undefined =>
  objects?.get(addressOf(within(frame, 'draw:object')))

/** A chart with its values as a table, or a formula. */
export function objectText(object: EmbeddedObject): string {
  if ('formula' in object) return object.formula
  const { title, rows } = object.chart
  return [`Chart: ${title}`.trim(), rows.length > 0 ? markdownTable(rows) : ''].filter(Boolean).join('\n\n')
}
