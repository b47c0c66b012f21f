import type { DocumentNode, Node } from '../docx/model.ts'
import { stringsIn } from './characters.ts'
import type { Reading, References } from './reading.ts'
import { plcOf, type Range, type WordFile } from './word-file.ts'

/** A document as the Word converter hands it over, with notes and comments. */
export function documentOf(file: WordFile, reading: Reading): DocumentNode {
  const bodies = new Map<string, Node[]>()
  const inline = new Map<number, Node>()
  const { footnotes, endnotes, boxes, main } = file.parts
  for (const [noteType, places, texts, part] of [
    ['footnote', 'footnotePlaces', 'footnoteTexts', footnotes],
    ['endnote', 'endnotePlaces', 'endnoteTexts', endnotes],
  ] as const) {
    const ranges = rangesOf(file.block(texts), 0, part)
    for (const [index, { from }] of plcOf(file.block(places), 2).entries()) {
      const range = ranges[index]
      if (range === undefined || inline.has(from)) continue
      inline.set(from, { type: 'noteReference', noteType, noteId: String(index) })
      bodies.set(`${noteType} ${index}`, reading.nodesOf(range))
    }
  }
  const comments = commentsOf(file, reading, inline)
  const { after, rest } = boxesOf(file, reading, boxes)
  return {
    children: [...reading.nodesOf(main, { inline, after }), ...rest()],
    comments,
    notes: {
      resolve({ noteType, noteId }) {
        const body = bodies.get(`${noteType} ${noteId}`)
        return body === undefined ? null : { body }
      },
    },
  }
}

/**
 * Texts of a part; `valueBytes` of others are stored with each. Each begins where the one before has ended, or later: a
 * file that says otherwise could have the same text read over and over.
 */
function rangesOf(block: Buffer, valueBytes: number, part: Range): Range[] {
  let done = part.from
  return plcOf(block, valueBytes).map((one) => {
    const from = Math.min(part.to, Math.max(done, part.from + one.from))
    done = Math.min(part.to, Math.max(from, part.from + one.to))
    return { from, to: done }
  })
}

const commentBytes = 30
const authorAt = 20

/** Adds their marks to `inline`. */
function commentsOf(file: WordFile, reading: Reading, inline: Map<number, Node>): DocumentNode['comments'] {
  const authors = stringsIn(file.block('commentAuthors'), 10_000)
  const ranges = rangesOf(file.block('commentTexts'), 0, file.parts.comments)
  return plcOf(file.block('commentPlaces'), commentBytes).flatMap(({ from, value }, index) => {
    const range = ranges[index]
    if (range === undefined || inline.has(from)) return []
    inline.set(from, { type: 'commentReference', commentId: String(index) })
    const authorName = authors[value.readUInt16LE(authorAt)] || null
    return [{ commentId: String(index), body: reading.nodesOf(range), authorName }]
  })
}

const shapeBytes = 26
const boxBytes = 22

/** Text boxes, by the place that their drawing is anchored to. The rest belong to groups of drawings. */
function boxesOf(file: WordFile, reading: Reading, part: Range): { after: References['after']; rest: () => Node[] } {
  const texts = new Map<number, Range[]>()
  const ranges = rangesOf(file.block('boxTexts'), boxBytes, part)
  for (const [index, { value }] of plcOf(file.block('boxTexts'), boxBytes).entries()) {
    const range = ranges[index]
    const isUnused = value.readUInt16LE(8) !== 0
    if (range === undefined || isUnused) continue
    const shape = value.readUInt32LE(14)
    const known = texts.get(shape)
    if (known === undefined) texts.set(shape, [range])
    else known.push(range)
  }
  const nodesOf = (ranges: readonly Range[]): Node[] => ranges.flatMap((range) => reading.nodesOf(range))
  const after = new Map<number, () => Node[]>()
  for (const { from, value } of plcOf(file.block('shapePlaces'), shapeBytes)) {
    const shape = value.readUInt32LE(0)
    const found = texts.get(shape)
    if (found === undefined) continue
    texts.delete(shape)
    after.set(from, () => nodesOf(found))
  }
  return { after, rest: () => nodesOf([...texts.values()].flat()) }
}

/** What stands at the top and the bottom of pages, each text once. */
export function marginsOf(file: WordFile): { kind: 'header' | 'footer'; range: Range }[] {
  const block = file.block('headerTexts')
  // Six separators of notes, then for each section: headers of even and odd pages, footers, those of the first page.
  return rangesOf(block, 0, file.parts.headers)
    .slice(6)
    .map((range, index) => ({ kind: [0, 1, 4].includes(index % 6) ? 'header' : 'footer', range }))
}
