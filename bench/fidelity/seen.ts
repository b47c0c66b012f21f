import type { ParsedDocument } from '../../src/kit/documents/document.ts'
import { folded, type Sample } from './sample.ts'
import { cellsOf, isRule } from './tables.ts'

/** What a person would see of Markdown, without markup, footnotes and link addresses. */
export function seen(document: ParsedDocument, sample: Sample): string {
  const parts = document.parts.map(({ unit, text }) => linesOf(text, unit === 'sheet').join(' '))
  let text = parts.reduce(joined, '')
  for (const { kind, text: address } of sample.marks ?? [])
    if (kind === 'links') text = text.replaceAll(` (${address})`, '')
  return folded(text)
}

const unspaced = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}'
const endsUnspaced = new RegExp(`[${unspaced}]$`, 'u')
const beginsUnspaced = new RegExp(`^[${unspaced}]`, 'u')

/** A sentence may continue on the next page; some scripts have no space there. */
const joined = (before: string, after: string): string =>
  endsUnspaced.test(before) && beginsUnspaced.test(after) ? before + after : `${before} ${after}`

function linesOf(text: string, isSheet: boolean): string[] {
  const lines: string[] = []
  let isHead = true
  for (const line of text.split('\n')) {
    // What follows is counted as comments and notes.
    if (/^(Notes|Comments):$/.test(line)) break
    if (/^\[\^\d+\]: |^> comment |^\(hidden slide\)$/.test(line) || isRule(line)) continue
    if (line.startsWith('|')) {
      const cells = cellsOf(line)
      if (!isSheet) lines.push(cells.join(' '))
      else if (!isHead) lines.push(cells.slice(1).join(' '))
      isHead = false
    } else lines.push(withoutMarks(line))
  }
  return lines
}

export const withoutMarks = (line: string): string =>
  line
    .replace(/^\s*#{1,6} /, '')
    .replace(/^\s*[-•●▪◦○■] /, '')
    .replace(/\[\^\d+\]/g, '')
    .replace(/\[(deleted|hidden)[^[\]:]*: [^\]]*\]/g, '')
    .replace(/\[inserted[^[\]:]*: ([^\]]*)\]/g, '$1')
