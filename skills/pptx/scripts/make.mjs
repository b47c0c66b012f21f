import { access, readFile } from 'node:fs/promises'
import { imageSize } from 'image-size'
import pptxgen from 'pptxgenjs'

const [out, path] = process.argv.slice(2)
if (path === undefined) throw new Error('Usage: make.mjs out.pptx deck.json')
const deck = JSON.parse(await readFile(path, 'utf8'))
const { title = '', author = 'Bobbin', layout = '16x9', colour = '1F3864', font = 'Calibri', slides = [] } = deck
if (slides.length === 0) throw new Error('The deck has no slides')
const sizes = { '16x9': [10, 5.625], '4x3': [10, 7.5] }
if (sizes[layout] === undefined) throw new Error('The layout is 16x9 or 4x3')
const [width, height] = sizes[layout]
const margin = 0.5
const top = 1.3

const book = new pptxgen()
Object.assign(book, {
  title,
  author,
  company: '',
  layout: `LAYOUT_${layout}`,
  theme: { headFontFace: font, bodyFontFace: font },
})
const placeholder = (name, type, place, look) => ({
  placeholder: { options: { name, type, ...place, ...look }, text: '' },
})
const wide = { x: margin, w: width - 2 * margin }
book.defineSlideMaster({
  title: 'Title',
  background: { color: colour },
  objects: [
    placeholder(
      'title',
      'title',
      { ...wide, y: height * 0.32, h: 1.2 },
      { fontSize: 38, bold: true, color: 'FFFFFF', align: 'center', valign: 'bottom' },
    ),
    placeholder(
      'subtitle',
      'body',
      { ...wide, y: height * 0.32 + 1.3, h: 0.8 },
      { fontSize: 20, color: 'DDDDDD', align: 'center', valign: 'top' },
    ),
  ],
})
book.defineSlideMaster({
  title: 'Section',
  background: { color: colour },
  objects: [
    placeholder(
      'title',
      'title',
      { ...wide, y: height / 2 - 0.6, h: 1.2 },
      { fontSize: 34, bold: true, color: 'FFFFFF', valign: 'middle' },
    ),
  ],
})
book.defineSlideMaster({
  title: 'Content',
  objects: [
    placeholder(
      'title',
      'title',
      { ...wide, y: 0.35, h: 0.8 },
      { fontSize: 26, bold: true, color: colour, valign: 'middle' },
    ),
    { line: { x: margin, y: 1.2, w: width - 2 * margin, h: 0, line: { color: colour, width: 1 } } },
  ],
  slideNumber: { x: width - 0.8, y: height - 0.4, fontSize: 10, color: '888888' },
})

/** Bullets of two levels, as one text. */
function bulleted(items) {
  const lines = items.flatMap((item) =>
    Array.isArray(item) ? item.map((text) => ({ text, indentLevel: 1 })) : { text: item, indentLevel: 0 },
  )
  return lines.map(({ text, indentLevel }) => ({
    text: String(text),
    options: { bullet: true, indentLevel, breakLine: true, fontSize: indentLevel === 0 ? 18 : 15, paraSpaceAfter: 6 },
  }))
}

const charts = { bar: 'bar', line: 'line', pie: 'pie', doughnut: 'doughnut' }

/** About how many lines a text needs, in this many inches and 14 points. */
const linesIn = (text, inches) =>
  String(text ?? '')
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / Math.max(1, (inches - 0.2) * 10))), 0)

/** What can stand on a slide below its title, each in its place. */
const kinds = {
  bullets: (slide, items, place) => slide.addText(bulleted(items), { ...place, valign: 'top', color: '222222' }),
  text: (slide, text, place) => slide.addText(String(text), { ...place, fontSize: 18, valign: 'top', color: '222222' }),
  table(slide, rows, place) {
    const high = rows.map((row) => Math.max(1, ...row.map((text) => linesIn(text, place.w / row.length))) * 0.23 + 0.1)
    if (high.reduce((sum, one) => sum + one, 0) > height - top - 0.1)
      throw new Error(`this table of ${rows.length} rows is too long for one slide. Split it, or make it an .xlsx file`)
    const cells = rows.map((row, at) =>
      row.map((text) => ({
        text: String(text ?? ''),
        options: at === 0 ? { bold: true, color: 'FFFFFF', fill: { color: colour } } : {},
      })),
    )
    slide.addTable(cells, {
      x: place.x,
      y: place.y,
      w: place.w,
      fontSize: 14,
      border: { type: 'solid', pt: 0.5, color: 'BBBBBB' },
    })
  },
  chart(slide, { type, labels, series }, place) {
    if (charts[type] === undefined) throw new Error(`A chart is ${Object.keys(charts).join(', ')}, not ${type}`)
    for (const { name, values } of series)
      if (values.length !== labels.length)
        throw new Error(`${name} has ${values.length} values for ${labels.length} labels`)
    slide.addChart(
      charts[type],
      series.map((one) => ({ ...one, labels })),
      { ...place, showLegend: series.length > 1 || /pie|dough/.test(type), legendPos: 'b' },
    )
  },
  async image(slide, file, place) {
    await access(file).catch(() => {
      throw new Error(`There is no image ${file} in the workspace`)
    })
    const { width: wide, height: high } = imageSize(await readFile(file))
    const scale = Math.min(place.w / wide, place.h / high)
    const [w, h] = [wide * scale, high * scale]
    slide.addImage({ path: file, x: place.x + (place.w - w) / 2, y: place.y + (place.h - h) / 2, w, h })
  },
}

for (const [at, { kind, title: heading = '', subtitle, notes, columns = [], ...parts }] of slides.entries()) {
  const master = { title: 'Title', section: 'Section' }[kind] ?? 'Content'
  const slide = book.addSlide({ masterName: master })
  slide.addText(String(heading), { placeholder: 'title' })
  if (subtitle !== undefined && master !== 'Title')
    throw new Error(`Slide ${at + 1}: only a slide of kind "title" has a subtitle. Use "text" instead`)
  if (subtitle !== undefined) slide.addText(String(subtitle), { placeholder: 'subtitle' })
  if (notes !== undefined) slide.addNotes(String(notes))
  const known = Object.keys(kinds).filter((name) => Object.hasOwn(parts, name))
  const strange = Object.keys(parts).filter((name) => !known.includes(name))
  if (strange.length > 0) throw new Error(`Slide ${at + 1}: I don't know ${strange.join(', ')}`)
  const list = [...columns.map((items) => ['bullets', items]), ...known.map((name) => [name, parts[name]])]
  if (list.length > 2)
    throw new Error(`Slide ${at + 1} has ${list.length} things beside each other; make it two slides`)
  const w = (width - 2 * margin - (list.length - 1) * 0.3) / Math.max(1, list.length)
  for (const [place, [name, value]] of list.entries())
    try {
      await kinds[name](slide, value, { x: margin + place * (w + 0.3), y: top, w, h: height - top - 0.5 })
    } catch ({ message }) {
      throw new Error(`Slide ${at + 1}: ${message}`)
    }
}
await book.writeFile({ fileName: out })
console.log(JSON.stringify({ file: out, slides: slides.length }))
