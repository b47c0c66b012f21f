import { descendants, textOf, within, type XmlElement } from '../../xml.ts'
import { markdownTable, type TableCell } from '../docx/tables.ts'
import { compile, type Show } from '../xlsx/format.ts'
import { lineOf } from './text.ts'

/** Values of a chart that are shown. */
const maxPoints = 500
const maxSeries = 50

export interface Chart {
  title: string
  /** Categories down, series across; the first row names the series. */
  rows: TableCell[][]
}

/** Its title, and its values as a table. */
export function chartText(chart: XmlElement): string {
  const { title, rows } = readChart(chart)
  return [`Chart: ${title}`.trim(), rows.length > 0 ? markdownTable(rows) : ''].filter(Boolean).join('\n\n')
}

export function readChart(chart: XmlElement): Chart {
  const plot = [...descendants(chart, 'c:ser')].slice(0, maxSeries)
  const titleElement = within(chart, 'c:chart', 'c:title')
  const title =
    titleElement === undefined
      ? ''
      : [...descendants(titleElement, 'a:p', 'c:v')].map((line) => textOf(line).replace(/\s+/g, ' ').trim()).join(' ')
  const categories = new Map<number, string>()
  const series = plot.map((one) => {
    for (const [place, text] of pointsOf(within(one, 'c:cat') ?? within(one, 'c:xVal'))) categories.set(place, text)
    const name = within(one, 'c:tx')
    return {
      name: name === undefined ? '' : [...descendants(name, 'c:v')].map(textOf).join(' '),
      points: pointsOf(within(one, 'c:val') ?? within(one, 'c:yVal')),
    }
  })
  const places = [...new Set([...categories.keys(), ...series.flatMap(({ points }) => [...points.keys()])])].sort(
    (a, b) => a - b,
  )
  const rows: TableCell[][] = places.map((place) => [
    { text: categories.get(place) ?? '' },
    ...series.map(({ points }) => ({ text: points.get(place) ?? '' })),
  ])
  const head: TableCell[] = [{ text: '' }, ...series.map(({ name }) => ({ text: name }))]
  return { title, rows: rows.length > 0 ? [head, ...rows] : [] }
}

function pointsOf(values: XmlElement | undefined): Map<number, string> {
  const points = new Map<number, string>()
  if (values === undefined) return points
  const [format] = [...descendants(values, 'c:formatCode')].map(textOf)
  const show =
    format !== undefined && /[ymd]/i.test(format) && !/general/i.test(format) ? compile(format, false) : undefined
  for (const point of descendants(values, 'c:pt')) {
    const place = Number(/^\d{1,6}$/.exec(point.attributes.get('idx') ?? '')?.[0] ?? -1)
    if (place < 0 || points.size >= maxPoints) continue
    const text = textOf(within(point, 'c:v')).trim()
    const inner = points.get(place)
    // Categories of several levels come from the innermost to the outermost.
    points.set(place, inner === undefined ? shownValue(text, show) : `${text}, ${inner}`)
  }
  return points
}

/** Dates are stored as numbers, and numbers as they were computed: 0.30000000000000004. */
function shownValue(text: string, show: Show | undefined): string {
  if (show !== undefined && /^\d{1,7}(\.\d+)?$/.test(text)) return show(Number(text))
  return /^-?\d+\.\d{10,}$/.test(text) ? String(Number(Number(text).toPrecision(12))) : text
}

/** The texts of a diagram (SmartArt), in the order of its data. */
export function diagramLines(data: XmlElement): string[] {
  return [...descendants(data, 'dgm:pt')]
    .filter(({ attributes }) => attributes.get('type') !== 'pres')
    .map((point) =>
      [...descendants(point, 'a:p')]
        .map((paragraph) => lineOf(paragraph, new Map()).replaceAll('\n', ' '))
        .filter((line) => line !== '')
        .join(' '),
    )
    .filter((line) => line !== '')
}

export const diagramText = (data: XmlElement): string =>
  diagramLines(data)
    .map((line) => `- ${line}`)
    .join('\n')
