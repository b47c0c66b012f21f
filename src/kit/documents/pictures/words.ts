import { letters, rightToLeftLetters } from '../../text/letters.ts'

/** A word as Tesseract saw it. Lengths are in pixels; `confidence` goes from 0 to 100. */
interface Word {
  block: string
  paragraph: string
  line: string
  left: number
  top: number
  right: number
  bottom: number
  confidence: number
  text: string
}

/** Words that it is less sure of are left out: mostly specks, lines and pictures. */
const leastConfidence = 20

/** If it is less sure of all words together, there was no text. */
const leastOfPage = 45

const columns = 12

/** The text of a page from the table of words that Tesseract prints. Lines that aren't of the table are left out. */
export function textOfTable(table: string): string {
  const words = table.split('\n').flatMap(wordOf)
  const characters = words.reduce((sum, { text }) => sum + text.length, 0)
  const sure = words.reduce((sum, { confidence, text }) => sum + confidence * text.length, 0)
  if (characters === 0 || sure / characters < leastOfPage) return ''
  let written = ''
  let last: Line | undefined
  for (const line of wholeLines(linesOf(words))) {
    if (last !== undefined) written += last.paragraphs.some((one) => line.paragraphs.includes(one)) ? '\n' : '\n\n'
    written += line.words.map(({ text }) => text).join(' ')
    last = line
  }
  return written.toWellFormed()
}

interface Line extends Pick<Word, 'block' | 'left' | 'top' | 'right' | 'bottom'> {
  words: Word[]
  /** Those that it belongs to. */
  paragraphs: readonly string[]
}

function linesOf(words: Word[]): Line[] {
  const lines: Line[] = []
  for (const word of words) {
    const { block, paragraph, left, top, right, bottom } = word
    const line = lines.at(-1)
    const before = line?.words[0]
    if (line === undefined || before?.block !== block || before.paragraph !== paragraph || before.line !== word.line) {
      lines.push({ words: [word], paragraphs: [`${block} ${paragraph}`], block, left, top, right, bottom })
      continue
    }
    line.words.push(word)
    line.left = Math.min(line.left, left)
    line.top = Math.min(line.top, top)
    line.right = Math.max(line.right, right)
    line.bottom = Math.max(line.bottom, bottom)
  }
  return lines
}

/** No page has more, and comparing them would take long. */
const mostLines = 1000

/**
 * Where the lines of a page are nearly alike, Tesseract takes the spaces between their words for the space between
 * columns. Lines of several blocks that are no further apart than words are one.
 */
function wholeLines(lines: Line[]): Line[] {
  if (lines.length > mostLines) return lines
  const rests = new Map<Line, Line>()
  const taken = new Set<Line>()
  for (const line of lines) {
    const rest = lines.find((other) => !taken.has(other) && continues(line, other))
    if (rest === undefined) continue
    rests.set(line, rest)
    taken.add(rest)
  }
  return lines.filter((line) => !taken.has(line)).map((line) => joined(line, rests))
}

/** In heights of a line: words are less far apart, columns further. */
const widestSpace = 0.7

/** The share of its height that a line has in common with one beside it. */
const leastBeside = 0.6

function continues(line: Line, { block, left, top, bottom }: Line): boolean {
  if (block === line.block) return false
  const height = Math.min(line.bottom - line.top, bottom - top)
  const beside = Math.min(line.bottom, bottom) - Math.max(line.top, top)
  const gap = left - line.right
  return beside >= leastBeside * height && gap >= 0 && gap <= widestSpace * height
}

function joined(line: Line, rests: ReadonlyMap<Line, Line>): Line {
  const pieces = [line]
  // Each rest is further right, so this ends.
  for (let rest = rests.get(line); rest !== undefined; rest = rests.get(rest)) pieces.push(rest)
  const text = pieces.flatMap(({ words }) => words.map(({ text }) => text)).join('')
  if (rightToLeftLetters(text) * 2 > letters(text)) pieces.reverse()
  return {
    ...line,
    words: pieces.flatMap(({ words }) => words),
    paragraphs: pieces.flatMap(({ paragraphs }) => paragraphs),
  }
}

function wordOf(row: string): Word[] {
  const cells = row.split('\t')
  const [level, , block = '', paragraph = '', line = ''] = cells
  const [confidence, text = ''] = [Number(cells[10]), cells[11]?.trim()]
  if (cells.length !== columns || level !== '5' || text === '' || !(confidence >= leastConfidence)) return []
  const [left = 0, top = 0, width = 0, height = 0] = cells.slice(6, 10).map(Number)
  return [{ block, paragraph, line, left, top, right: left + width, bottom: top + height, confidence, text }]
}
