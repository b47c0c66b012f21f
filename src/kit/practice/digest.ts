import { segmentsOf } from '../text/segments.ts'
import { partly, type ReadText } from './reading.ts'
import { columnStatistics, type NumberColumn, rounded, type TextColumn } from './statistics.ts'
import { parseTable } from './table.ts'

/** What a file contains, in short: a line for the answer, and a section for the report. */
export interface Digest {
  path: string
  headline: string
  section: string
}

const times = (count: number, word: string) => `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`

function columnLine(column: NumberColumn | TextColumn): string {
  if (column.kind === 'numbers') {
    const { min, max, mean, sum } = column
    return `- **${column.name}**: ${rounded(min)} to ${rounded(max)}, mean ${rounded(mean)}, sum ${rounded(sum)}`
  }
  const top = column.top.map(([value, count]) => `${value} (${count})`).join(', ')
  const distinct = `${column.distinct} different`
  return `- **${column.name}**: ${column.count === 0 ? 'empty' : `${distinct}; most frequent ${top}`}`
}

function digestTable(file: ReadText): Digest {
  const { path, text } = file
  const table = parseTable(text)
  const statistics = columnStatistics(table)
  const totals = statistics
    .filter((column) => column.kind === 'numbers')
    .slice(0, 2)
    .map(({ name, sum }) => `${name} sums to ${rounded(sum)}`)
  const size = `${times(table.rows.length, 'row')}, ${times(table.columns.length, 'column')}${partly(file)}`
  return {
    path,
    headline: [size, ...totals].join('; '),
    section: [`${size}: ${table.columns.join(', ')}.`, '', ...statistics.map(columnLine)].join('\n'),
  }
}

export const noText = 'no text in it: its pages are probably scanned'

/** How a document calls its pages, slides and sheets. */
export const hasNoText = (text: string): boolean => text.replace(/^\(no text\)$/gm, '').trim() === ''

const sentencesOf = (text: string): string[] =>
  [...segmentsOf(text, 'sentence')].map(({ segment }) => segment.trim()).filter(Boolean)

const wordCount = (text: string): number => [...segmentsOf(text, 'word')].filter(({ isWordLike }) => isWordLike).length

/** The running text of a Markdown file: no headings, tables, code or list marks. */
const proseOf = (text: string): string =>
  text
    .replace(/```[\s\S]*?(```|$)/g, '')
    .split('\n')
    .filter((line) => !/^\s*(#|\||---|===)/.test(line))
    .map((line) => line.replace(/^\s*([-*+]|\d+\.)\s+/, ''))
    .join('\n')

function digestProse(file: ReadText): Digest {
  const { path, text } = file
  const headings = [...text.matchAll(/^#{1,6}\s+(.+)$/gm)].map(([, heading = '']) => heading.trim())
  const first = sentencesOf(proseOf(text.slice(0, 10_000)).replace(/\s+/g, ' '))
    .slice(0, 3)
    .join(' ')
    .slice(0, 500)
  const lines = times(text.trimEnd().split('\n').length, 'line')
  const size = `${times(wordCount(text), 'word')}, ${lines}${partly(file)}`
  const sections = headings.length > 0 ? [`Sections: ${headings.slice(0, 12).join(' · ')}`, ''] : []
  return {
    path,
    headline: [size, ...(headings[0] ? [`begins with “${headings[0]}”`] : [])].join('; '),
    section: [`${size}.`, '', ...sections, ...(first ? [`> ${first}`] : [])].join('\n').trimEnd(),
  }
}

export const digestOf = (file: ReadText): Digest =>
  file.text.trim() === ''
    ? { path: file.path, headline: 'empty', section: 'The file is empty.' }
    : hasNoText(file.text)
      ? { path: file.path, headline: noText, section: `There is ${noText}.` }
      : /\.(csv|tsv|xlsx)$/i.test(file.path)
        ? digestTable(file)
        : digestProse(file)
