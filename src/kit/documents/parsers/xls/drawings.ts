import { textOfUtf16 } from '../../../text/utf16.ts'
import type { Chart } from '../pptx/chart.ts'
import { linesOfChart } from '../xlsx/drawings.ts'
import { recordsFrom, types, type XlsRecord } from './records.ts'

/** Of one sheet. */
const mostDrawn = 500

/** Of all sheets: places in the list of sheets may be the same. */
const mostRecords = 5_000_000

/** The only version whose texts are in Unicode, since Excel 97. */
const version = 0x0600

const kinds = { chart: 0x0020, comment: 0x19 }

/** The words of text boxes and charts on each sheet, in the order of the sheets. Comments are among the cells'. */
export function drawingsIn(stream: Buffer): string[][] {
  if (stream.length < 8 || stream.readUInt16LE(4) !== version) return []
  const places: number[] = []
  for (const { type, data } of recordsFrom(stream, 0))
    if (type === types.sheet && data.length >= 4) places.push(data.readUInt32LE(0))
  let left = mostRecords
  return places.map((place) => {
    const reader = new DrawingReader()
    for (const record of recordsFrom(stream, place)) {
      if (left-- <= 0) break
      reader.take(record)
    }
    reader.finish()
    return reader.texts.slice(0, mostDrawn)
  })
}

const word = (data: Buffer, at: number): number => (at + 2 <= data.length ? data.readUInt16LE(at) : 0)

/** Characters of one byte or, if the flag says so, two. */
const charactersOf = (data: Buffer, flags: number): string =>
  (flags & 1) === 1 ? textOfUtf16(data) : data.toString('latin1')

class DrawingReader {
  readonly texts: string[] = []
  #isComment = false
  /** Characters of a text box that follow. */
  #expected = 0
  #text = ''
  #chart: ChartReader | undefined

  take({ type, data }: XlsRecord): void {
    if (type === types.bof && word(data, 2) === kinds.chart) this.#chart = new ChartReader()
    else if (this.#chart !== undefined && type !== types.eof) this.#chart.take({ type, data })
    else if (type === types.object) this.#isComment = word(data, 4) === kinds.comment
    else if (type === types.text) [this.#expected, this.#text] = [this.#isComment ? 0 : word(data, 10), '']
    else if (type === types.continued && this.#expected > 0) this.#addText(data)
    else if (type === types.eof) this.finish()
  }

  #addText(data: Buffer): void {
    const text = charactersOf(data.subarray(1), data[0] ?? 0).slice(0, this.#expected)
    this.#text += text
    this.#expected -= Math.max(1, text.length)
    if (this.#expected > 0 || this.#text.trim() === '') return
    this.texts.push(`Text box: ${this.#text.replace(/\r\n?/g, '\n').trim().toWellFormed()}`)
  }

  /** At the end of a chart, or of the sheet, which may be one. */
  finish(): void {
    const text = this.#chart?.text() ?? ''
    if (text !== '') this.texts.push(text)
    this.#chart = undefined
  }
}

/** Title, series and values of a chart, as Excel stored them. */
class ChartReader {
  #title = ''
  #words = ''
  readonly #names: string[] = []
  #part: 'series' | 'frame' | undefined
  /** 1: values, 2: categories. */
  #cells = 0
  readonly #values = new Map<number, Map<number, string>>()
  readonly #categories = new Map<number, string>()

  take({ type, data }: XlsRecord): void {
    if (type === types.series) {
      this.#part = 'series'
      this.#names.push('')
    } else if (type === types.textFrame) this.#part = 'frame'
    else if (type === types.words) this.#say(charactersOf(data.subarray(4), data[3] ?? 0).slice(0, data[2] ?? 0))
    else if (type === types.belongsTo && word(data, 0) === 1) this.#title = this.#words
    else if (type === types.cellsOf) this.#cells = word(data, 0)
    else if (type === types.number && data.length >= 14)
      this.#put(data, String(Number(data.readDoubleLE(6).toPrecision(12))))
    else if (type === types.label) this.#put(data, charactersOf(data.subarray(9), data[8] ?? 0).slice(0, word(data, 6)))
  }

  #say(written: string): void {
    this.#words = written.replace(/\s+/g, ' ').trim().toWellFormed()
    if (this.#part === 'series' && this.#names.at(-1) === '') this.#names[this.#names.length - 1] = this.#words
  }

  #put(data: Buffer, text: string): void {
    const [point, series] = [word(data, 0), word(data, 2)]
    if (this.#cells === 2) this.#categories.set(point, text)
    else if (this.#cells === 1) this.#values.set(series, (this.#values.get(series) ?? new Map()).set(point, text))
  }

  text(): string {
    const points = [...new Set([...this.#values.values()].flatMap((one) => [...one.keys()]))].sort((a, b) => a - b)
    const cell = (text = '') => ({ text })
    const rows: Chart['rows'] = points.map((point) => [
      cell(this.#categories.get(point)),
      ...this.#names.map((_, series) => cell(this.#values.get(series)?.get(point))),
    ])
    const head = [cell(), ...this.#names.map(cell)]
    const lines = linesOfChart({ title: this.#title, rows: rows.length === 0 ? [] : [head, ...rows] }, '')
    const names = rows.length > 0 ? [] : this.#names.filter((name) => name !== '')
    return [lines, ...names.map((name) => `- ${name}`)].join('\n')
  }
}
