import { allOf, descendants, textOf, within, type XmlElement } from '../../xml.ts'
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
  const series = chart.name === 'cx:chartSpace' ? newerSeries(chart) : usualSeries(chart)
  const titleElement = within(chart, 'c:chart', 'c:title') ?? within(chart, 'cx:chart', 'cx:title', 'cx:tx')
  const title =
    titleElement === undefined
      ? ''
      : [...descendants(titleElement, 'a:p', 'c:v', 'cx:v')]
          .map((line) => textOf(line).replace(/\s+/g, ' ').trim())
          .join(' ')
  const categories = new Map(series.flatMap((one) => [...one.categories]))
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

interface Series {
  name: string
  categories: Map<number, string>
  points: Map<number, string>
}

const usualSeries = (chart: XmlElement): Series[] =>
  [...descendants(chart, 'c:ser')].slice(0, maxSeries).map((one) => {
    const name = within(one, 'c:tx')
    return {
      name: name === undefined ? '' : [...descendants(name, 'c:v')].map(textOf).join(' '),
      categories: pointsOf(within(one, 'c:cat') ?? within(one, 'c:xVal')),
      points: pointsOf(within(one, 'c:val') ?? within(one, 'c:yVal')),
    }
  })

/** Of the kinds of charts that came with Office 2016: waterfalls, funnels, treemaps. A line over one has no data. */
function newerSeries(chart: XmlElement): Series[] {
  const data = allOf(within(chart, 'cx:chartData'), 'cx:data')
  return [...descendants(chart, 'cx:series')].slice(0, maxSeries).flatMap((one) => {
    const id = within(one, 'cx:dataId')?.attributes.get('val')
    const own = id === undefined ? undefined : data.find(({ attributes }) => attributes.get('id') === id)
    if (own === undefined) return []
    return [
      {
        name: textOf(within(one, 'cx:tx', 'cx:txData', 'cx:v')),
        categories: pointsOf(within(own, 'cx:strDim')),
        points: pointsOf(within(own, 'cx:numDim')),
      },
    ]
  })
}

function pointsOf(values: XmlElement | undefined): Map<number, string> {
  const points = new Map<number, string>()
  if (values === undefined) return points
  const [usual] = descendants(values, 'c:formatCode')
  const format = usual === undefined ? within(values, 'cx:lvl')?.attributes.get('formatCode') : textOf(usual)
  const show =
    format !== undefined && /[ymd]/i.test(format) && !/general/i.test(format) ? compile(format, false) : undefined
  for (const point of descendants(values, 'c:pt', 'cx:pt')) {
    const place = Number(/^\d{1,6}$/.exec(point.attributes.get('idx') ?? '')?.[0] ?? -1)
    if (place < 0 || points.size >= maxPoints) continue
    const text = textOf(point.name === 'c:pt' ? within(point, 'c:v') : point).trim()
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
