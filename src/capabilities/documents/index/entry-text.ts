import { setImmediate } from 'node:timers/promises'
import type { OpenDocument, PartEntry, PartUnit } from '../../../kit/documents/document.ts'
import { Failure } from '../../../kit/failure.ts'
import { documentsWords } from '../words.ts'
import { type IndexDatabase, IndexRemade } from './database.ts'
import type { Entry, PartialEntry } from './entries.ts'

interface PartRow {
  part: number
  unit: PartUnit
  number: number
  name: string | null
  characters: number
  formula_characters: number
  pictured: 0 | 1
  hidden: 0 | 1
}

/** How many characters of a text one row holds. */
export const blockCharacters = 2000

/** How many rows are read at once: a millisecond's work. */
const blocksAtOnce = 100

/** The parts of an entry. */
const partsOf = (database: IndexDatabase, { id }: Entry): PartEntry[] =>
  database.all<PartRow>('SELECT * FROM parts WHERE document = ? ORDER BY part', id).map(partIn)

/** One of them. */
export function partOf(database: IndexDatabase, { id }: Entry, index: number): PartEntry | undefined {
  const row = database.first<PartRow>('SELECT * FROM parts WHERE document = ? AND part = ?', id, index)
  return row && partIn(row)
}

const partIn = ({ unit, number, name, characters, formula_characters, pictured, hidden }: PartRow): PartEntry => ({
  unit,
  number,
  ...(name === null ? {} : { name }),
  characters,
  hasFormulas: formula_characters > 0,
  ...(pictured === 1 ? { isPictured: true } : {}),
  ...(hidden === 1 ? { isHidden: true } : {}),
})

/** A span of a part's text. */
export function textOf(database: IndexDatabase, id: number, part: number, start: number, end: number): string {
  const blocks = database.all<{ start: number; text: string }>(
    "SELECT start, text FROM texts WHERE document = ? AND part = ? AND field = 'text' AND start > ? AND start < ? ORDER BY start",
    id,
    part,
    start - blockCharacters - 2,
    end,
  )
  const offset = blocks[0]?.start ?? 0
  return blocks
    .map(({ text }) => text)
    .join('')
    .slice(Math.max(0, start - offset), Math.max(0, end - offset))
}

/**
 * Texts are read when they are needed. Throws `changed` if the entry has been removed by then. `soFar`: how much is
 * there of one that is being made.
 */
export function openEntry(
  database: IndexDatabase,
  entry: Entry,
  soFar?: Pick<PartialEntry, 'parts' | 'expected'>,
): OpenDocument {
  const { kind, notes } = entry
  const parts = partsOf(database, entry).slice(0, soFar?.parts)
  return {
    kind,
    notes,
    parts,
    ...(soFar === undefined ? {} : { reading: soFar.expected === undefined ? {} : { expected: soFar.expected } }),
    lines: (index) => linesOf(database, entry, index, parts[index]?.characters ?? 0),
    formulas(index) {
      const text = textIn(blocksOf(database, entry.key, index, 'formulas'))
      if (parts[index]?.hasFormulas && text === '') throw changed()
      return text
    },
  }
}

/** Between two lots of them, others get their turn. */
async function* linesOf(
  database: IndexDatabase,
  { key }: Entry,
  part: number,
  characters: number,
): AsyncGenerator<string[]> {
  let [left, after, begun] = [characters, -1, '']
  while (left > 0) {
    const blocks = blocksOf(database, key, part, 'text', { after, most: blocksAtOnce })
    const last = blocks.at(-1)
    if (last === undefined) throw changed()
    const text = textIn(blocks)
    const lines = `${begun}${text}`.split('\n')
    left -= text.length
    after = last.start
    begun = left > 0 ? (lines.pop() ?? '') : ''
    yield lines
    if (left > 0) await setImmediate()
  }
}

interface Block {
  start: number
  text: string
}

const textIn = (blocks: Block[]): string => blocks.map(({ text }) => text).join('')

/** Looked up by key: after damage, the number may be another document's. */
function blocksOf(
  database: IndexDatabase,
  key: string,
  part: number,
  field: 'text' | 'formulas',
  { after, most } = { after: -1, most: -1 },
): Block[] {
  try {
    return database.all<Block>(
      `SELECT start, text FROM texts JOIN documents ON documents.id = texts.document
       WHERE key = ? AND part = ? AND field = ? AND start > ? ORDER BY start LIMIT ?`,
      ...[key, part, field, after, most],
    )
  } catch (thrown) {
    if (thrown instanceof IndexRemade) throw changed()
    throw thrown
  }
}

const changed = (): Failure => new Failure('changed', documentsWords.replaced(), documentsWords.replacedRemedy())
