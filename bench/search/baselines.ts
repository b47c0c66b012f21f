import Sqlite from 'better-sqlite3'

export interface Passage {
  document: string
  text: string
  /** It with its surroundings, if those are shown. */
  around?: string
}

/** Finds the five best passages. */
export type Search = (query: string, language: string) => Passage[]

const shown = 5

/** Words as a person would type them for grep: split at spaces, without quotes. */
const wordsOf = (query: string): string[] =>
  query
    .replace(/["“”?？]/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '')

/**
 * `grep -i -F` over the extracted text: the lines with the whole query; when there is none, those with all of its words;
 * when there is none, those with any of them. In the order of the files, with one line around each.
 */
export function grep(texts: { document: string; text: string }[]): Search {
  const files = texts.map(({ document, text }) => {
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    return { document, lines, lower: lines.map((line) => line.toLowerCase()) }
  })
  const linesWith = (fits: (line: string) => boolean): Passage[] => {
    const found: Passage[] = []
    for (const { document, lines, lower } of files) {
      for (const [at, line] of lower.entries()) {
        if (found.length === shown) return found
        if (fits(line)) found.push({ document, text: lines.slice(Math.max(0, at - 1), at + 2).join('\n') })
      }
    }
    return found
  }
  return (query) => {
    const words = wordsOf(query.toLowerCase())
    const whole = words.join(' ')
    const tries: ((line: string) => boolean)[] = [
      (line) => line.includes(whole),
      (line) => words.every((word) => line.includes(word)),
      (line) => words.some((word) => line.includes(word)),
    ]
    for (const fits of tries) {
      const found = linesWith(fits)
      if (found.length > 0) return found
    }
    return []
  }
}

/** Plain FTS5: the same chunks, `unicode61`, the query's words joined by OR, BM25. */
export function plainFts(chunks: Passage[]): Search {
  const db = new Sqlite(':memory:')
  db.exec('create virtual table chunks using fts5(text, around unindexed, document unindexed)')
  const insert = db.prepare('insert into chunks (text, around, document) values (?, ?, ?)')
  db.transaction(() => {
    for (const { document, text, around = text } of chunks) insert.run(text, around, document)
  })()
  const select = db.prepare<[string], Passage>(
    `select document, around text from chunks where chunks match ? order by bm25(chunks) limit ${shown}`,
  )
  return (query) => {
    const words = wordsOf(query).map((word) => `"${word.replaceAll('"', '')}"`)
    return words.length === 0 ? [] : select.all(words.join(' OR '))
  }
}
