import { readFile, writeFile } from 'node:fs/promises'
import { openBook, rangeIn, resultOf } from './cells.mjs'
import { draw, withoutFont } from './draw.mjs'

const [out, path, bookPath] = process.argv.slice(2)
if (!/\.(svg|png)$/i.test(out ?? '') || path === undefined)
  throw new Error('Usage: chart.mjs out.svg|out.png chart.json [in.xlsx]')
const chart = JSON.parse(await readFile(path, 'utf8'))
const { type = 'bar', title = '', width = 900, height = 500 } = chart
const book = bookPath === undefined ? undefined : await openBook(bookPath)
const labels = valuesOf(chart.labels).map((label) => String(label ?? ''))
const series = chart.series.map(({ name, values }) => ({
  name: String(name ?? ''),
  values: valuesOf(values).map(numberIn),
}))
for (const { name, values } of series) {
  if (values.length !== labels.length)
    throw new Error(`${name} has ${values.length} values for ${labels.length} labels`)
  if (values.some((value) => value !== null && !Number.isFinite(value)))
    throw new Error(`${name} has values that are no numbers`)
}

/** A blank is null, and is not drawn. What is no number is NaN, and is refused. */
function numberIn(value) {
  if (value === null || value === undefined || value === '') return null
  return typeof value === 'boolean' ? Number.NaN : Number(value)
}

/** A list, or the cells of a range of the workbook. */
function valuesOf(given) {
  if (Array.isArray(given)) return given
  if (book === undefined) throw new Error(`Give the workbook that ${JSON.stringify(given)} is in`)
  const { sheet, top, left, bottom, right } = rangeIn(book, given)
  const values = []
  for (let row = top; row <= bottom; row++)
    for (let column = left; column <= right; column++) {
      const cell = sheet.getCell(row, column)
      if (cell.formula && cell.result === undefined)
        throw new Error(`${sheet.name}!${cell.address} has no result, as only Excel computes it: give the values`)
      values.push(resultOf(cell))
    }
  return values
}

const colours = ['#2E75B6', '#ED7D31', '#70AD47', '#FFC000', '#7F6BB3', '#C00000', '#5B9BD5', '#595959']
const colour = (place) => colours[place % colours.length]
const escaped = (text) => text.replace(/[&<>"]/g, (one) => `&#${one.codePointAt(0)};`)
const round = (number) => Math.round(number * 100) / 100
const text = (words, x, y, { size = 14, anchor = 'middle', bold = false } = {}) =>
  `<text x="${round(x)}" y="${round(y)}" font-family="Liberation Sans, Arial, Helvetica, sans-serif" font-size="${size}" text-anchor="${anchor}"${bold ? ' font-weight="bold"' : ''} fill="#333">${escaped(words)}</text>`

const box = {
  left: 70,
  top: title === '' ? 30 : 60,
  right: width - 30,
  bottom: height - (series.length > 1 || type === 'pie' ? 80 : 50),
}

/** A round step, so that about five lines cover the range. */
function stepFor(range) {
  const rough = range / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  return power * ([1, 2, 5].find((one) => one * power >= rough) ?? 10)
}

function axes() {
  const all = series.flatMap(({ values }) => values)
  // Nothing counts as 0. Not with Math.max(...), as a call can't have very many arguments.
  const low = all.reduce((least, one) => Math.min(least, one), 0)
  const high = all.reduce((most, one) => Math.max(most, one), 0)
  const step = stepFor(high - low || 1)
  const [from, to] = [Math.floor(low / step) * step, Math.ceil(high / step) * step || step]
  const y = (value) => box.bottom - ((value - from) / (to - from)) * (box.bottom - box.top)
  const lines = []
  for (let value = from; value <= to + step / 2; value += step) {
    lines.push(
      `<line x1="${box.left}" x2="${box.right}" y1="${round(y(value))}" y2="${round(y(value))}" stroke="#ddd"/>`,
    )
    // Adding up steps such as 0.1 gives 0.30000000000000004, which nobody wants to read.
    const label = Number((Math.round(value / step) * step).toPrecision(10))
    lines.push(text(String(label), box.left - 8, y(value) + 5, { size: 12, anchor: 'end' }))
  }
  const wide = (box.right - box.left) / labels.length
  const every = Math.ceil(labels.length / 20)
  const named = labels.map((label, at) =>
    at % every === 0 ? text(label.slice(0, 24), box.left + wide * (at + 0.5), box.bottom + 20, { size: 12 }) : '',
  )
  return { y, wide, marks: [...lines, ...named] }
}

/** The parts of a line between its gaps. */
function runsOf(points) {
  const runs = [[]]
  for (const point of points) {
    if (point !== null) runs.at(-1).push(point)
    else runs.push([])
  }
  return runs.filter((run) => run.length > 0)
}

const kinds = {
  bar() {
    const { y, wide, marks } = axes()
    const bar = (wide * 0.7) / series.length
    const bars = series.flatMap(({ values }, which) =>
      values.map((value, at) => {
        if (value === null) return ''
        const x = box.left + wide * at + wide * 0.15 + bar * which
        const top = Math.min(y(value), y(0))
        return `<rect x="${round(x)}" y="${round(top)}" width="${round(bar)}" height="${round(Math.abs(y(value) - y(0)))}" fill="${colour(which)}"/>`
      }),
    )
    return [...marks, ...bars]
  },
  line() {
    const { y, wide, marks } = axes()
    const point = (value, at) => [round(box.left + wide * (at + 0.5)), round(y(value))]
    const lines = series.flatMap(({ values }, which) =>
      runsOf(values.map((value, at) => (value === null ? null : point(value, at)))).map((points) =>
        points.length === 1
          ? `<circle cx="${points[0][0]}" cy="${points[0][1]}" r="4" fill="${colour(which)}"/>`
          : `<polyline points="${points.join(' ')}" fill="none" stroke="${colour(which)}" stroke-width="3"/>`,
      ),
    )
    return [...marks, ...lines]
  },
  pie() {
    const [{ values }] = series
    const sum = values.reduce((all, value) => all + value, 0)
    if (sum <= 0 || values.some((value) => value < 0)) throw new Error('A pie needs values above zero')
    const [x, y] = [width / 2, (box.top + box.bottom) / 2]
    const radius = Math.min(x, (box.bottom - box.top) / 2)
    let angle = -Math.PI / 2
    return values.map((value, at) => {
      const end = angle + Math.min(value / sum, 0.99999) * 2 * Math.PI
      const point = (one) => `${round(x + radius * Math.cos(one))} ${round(y + radius * Math.sin(one))}`
      const slice = `<path d="M ${x} ${y} L ${point(angle)} A ${radius} ${radius} 0 ${end - angle > Math.PI ? 1 : 0} 1 ${point(end)} Z" fill="${colour(at)}" stroke="#fff"/>`
      angle = end
      return slice
    })
  },
}
if (kinds[type] === undefined) throw new Error(`A chart is ${Object.keys(kinds).join(', ')}, not ${type}`)

function legend() {
  const names = type === 'pie' ? labels : series.length > 1 ? series.map(({ name }) => name) : []
  const wide = width / Math.max(1, names.length)
  return names.flatMap((name, at) => [
    `<rect x="${round(wide * at + 10)}" y="${height - 32}" width="14" height="14" fill="${colour(at)}"/>`,
    text(name.slice(0, Math.max(4, Math.floor(wide / 8))), wide * at + 30, height - 20, { size: 13, anchor: 'start' }),
  ])
}

const parts = [
  `<rect width="${width}" height="${height}" fill="#fff"/>`,
  ...(title === '' ? [] : [text(title, width / 2, 34, { size: 20, bold: true })]),
  ...kinds[type](),
  ...legend(),
]
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">\n${parts.join('\n')}\n</svg>\n`
const isImage = /\.png$/i.test(out)
if (isImage) await draw(svg, out, { width, height })
else await writeFile(out, svg)
const missing = isImage ? await withoutFont([title, ...labels, ...series.map(({ name }) => name)].join('')) : []
console.log(
  JSON.stringify({
    file: out,
    labels: labels.length,
    series: series.length,
    ...(missing.length > 0 && { charactersWithoutFont: missing.slice(0, 100).join('') }),
  }),
)
