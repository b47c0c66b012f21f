import type { Sample } from '../sample.ts'
import { type Story, storyOf } from '../texts.ts'
import { encoderOf } from './encode.ts'

interface Written {
  /** Rows have other numbers of cells than the first one. */
  isUneven?: boolean
  code: string
  encoding: string
  delimiter: string
  /** Bytes at the beginning that tell the encoding. */
  mark?: number[]
}

const written: Written[] = [
  { code: 'en', encoding: 'utf-8', delimiter: ',' },
  { code: 'de', encoding: 'utf-8', delimiter: ';', mark: [0xef, 0xbb, 0xbf] },
  { code: 'de', encoding: 'windows-1252', delimiter: ';' },
  { code: 'de', encoding: 'utf-8', delimiter: ';', isUneven: true },
  { code: 'en', encoding: 'utf-8', delimiter: ',', isUneven: true },
  { code: 'ar', encoding: 'utf-8', delimiter: '\t' },
  { code: 'ar', encoding: 'windows-1256', delimiter: ';' },
  { code: 'zh', encoding: 'utf-16le', delimiter: '\t', mark: [0xff, 0xfe] },
  { code: 'zh', encoding: 'gb18030', delimiter: ',' },
  { code: 'zh', encoding: 'big5', delimiter: ',' },
  { code: 'ja', encoding: 'shift_jis', delimiter: ',' },
  { code: 'ja', encoding: 'euc-jp', delimiter: '|' },
]

const delimiterNames = new Map([
  [',', 'commas'],
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'bars'],
])

/** Tables as text, in the encodings and with the delimiters of several countries. */
export async function csvSamples(stories: Map<string, Story>): Promise<Sample[]> {
  return written.map((one) => {
    const { code, encoding, delimiter, mark = [], isUneven = false } = one
    const { table, sections } = storyOf(stories, code)
    const rows = [
      ...table,
      ...sections.flatMap(({ paragraphs }) =>
        paragraphs.map((text) => [text, 'a "b" c', '', '-1.5', ...(isUneven ? [] : ['', 'x'])]),
      ),
    ]
    const encode = encoderOf(encoding)
    // Characters that the encoding does not have cannot be asked for.
    const kept = rows.map((row) =>
      row.map((cell) => [...cell].filter((letter) => encode(letter) !== undefined).join('')),
    )
    const text = kept.map((row) => row.map((cell) => quoted(cell, delimiter)).join(delimiter)).join('\r\n')
    const bytes = new Uint8Array([...mark, ...[...text].flatMap((letter) => encode(letter) ?? [])])
    const feature = `${code}, ${encoding}, ${delimiterNames.get(delimiter)}${isUneven ? ', uneven rows' : ''}`
    const blocks = kept.flat().filter((cell) => cell !== '')
    return { kind: 'csv', feature, name: 'table.csv', bytes, blocks, ordered: [], tables: [{ sheet: '1', rows: kept }] }
  })
}

const quoted = (cell: string, delimiter: string): string =>
  cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
