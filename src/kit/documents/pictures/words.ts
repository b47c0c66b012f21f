/** A word as Tesseract saw it. `confidence`: from 0 to 100. */
interface Word {
  block: string
  paragraph: string
  line: string
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
  let last: Word | undefined
  for (const word of words) {
    written += last === undefined ? '' : between(last, word)
    written += word.text
    last = word
  }
  return written.toWellFormed()
}

function between(last: Word, word: Word): string {
  if (last.block !== word.block || last.paragraph !== word.paragraph) return '\n\n'
  return last.line === word.line ? ' ' : '\n'
}

function wordOf(row: string): Word[] {
  const cells = row.split('\t')
  const [level, , block = '', paragraph = '', line = ''] = cells
  const [confidence, text = ''] = [Number(cells[10]), cells[11]?.trim()]
  if (cells.length !== columns || level !== '5' || text === '' || !(confidence >= leastConfidence)) return []
  return [{ block, paragraph, line, confidence, text }]
}
