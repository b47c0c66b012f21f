import { diffArrays } from 'diff'

export interface TextScore {
  /** Characters that have to be put in, taken out or changed. */
  errors: number
  characters: number
  wrong: string[]
}

const words = new Intl.Segmenter('en', { granularity: 'word' })
const wordsOf = (text: string): string[] => Array.from(words.segment(text), ({ segment }) => segment)

/** More words than this differ only in texts that have nothing in common. */
const mostEdits = 8000
/** Cells of an edit distance's table. */
const mostCells = 4_000_000

/** Edit distance in characters, taken only where words differ, so that its time does not grow with the square of the text. */
export function scoreText(expected: string, found: string): TextScore {
  const score: TextScore = { errors: 0, characters: expected.length, wrong: [] }
  const changes = diffArrays(wordsOf(expected), wordsOf(found), { maxEditLength: mostEdits })
  if (changes === undefined) {
    return { ...score, errors: Math.max(expected.length, found.length), wrong: ['has nothing in common with it'] }
  }
  let [missing, extra, before] = ['', '', '']
  const flush = () => {
    if (missing === '' && extra === '') return
    score.errors += distance(missing, extra)
    score.wrong.push(`…${before.slice(-25)}[${brief(missing)}] came as [${brief(extra)}]`)
    missing = ''
    extra = ''
  }
  for (const { added, removed, value } of changes) {
    const text = value.join('')
    if (removed) missing += text
    else if (added) extra += text
    else {
      flush()
      before = text
    }
  }
  flush()
  return score
}

const brief = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}… (${text.length})` : text)

function distance(first: string, second: string): number {
  if (first.length * second.length > mostCells) return Math.max(first.length, second.length)
  let row = Array.from({ length: second.length + 1 }, (_, index) => index)
  for (let index = 0; index < first.length; index++) {
    const next = [index + 1]
    for (let at = 0; at < second.length; at++) {
      const change = (row[at] ?? 0) + (first[index] === second[at] ? 0 : 1)
      next.push(Math.min(change, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1))
    }
    row = next
  }
  return row[second.length] ?? 0
}
