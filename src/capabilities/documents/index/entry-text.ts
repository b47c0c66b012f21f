import type { OpenDocument, PartEntry, PartUnit } from '../../../kit/documents/document.ts'
import { Failure } from '../../../kit/failure.ts'
import { type IndexDatabase, IndexRemade } from './database.ts'
import type { Entry } from './entries.ts'

interface PartRow {
  part: number
  unit: PartUnit
  number: number
  name: string | null
  characters: number
  formula_characters: number
}

/** How many characters of a text one row holds. */
export const blockCharacters = 2000

/** The parts of an entry. */
const partsOf = (database: IndexDatabase, { id }: Entry): PartEntry[] =>
  database.all<PartRow>('SELECT * FROM parts WHERE document = ? ORDER BY part', id).map(partIn)

/** One of them. */
export function partOf(database: IndexDatabase, { id }: Entry, index: number): PartEntry | undefined {
  const row = database.first<PartRow>('SELECT * FROM parts WHERE document = ? AND part = ?', id, index)
  return row && partIn(row)
}

const partIn = ({ unit, number, name, characters, formula_characters }: PartRow): PartEntry => ({
  unit,
  number,
  ...(name === null ? {} : { name }),
  characters,
  hasFormulas: formula_characters > 0,
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

/** Texts are read when they are needed. Throws `changed` if the entry has been removed by then. */
export function openEntry(database: IndexDatabase, entry: Entry): OpenDocument {
  const { kind, notes } = entry
  const parts = partsOf(database, entry)
  const read = (index: number, field: string, characters: number): string => {
    const text = blocksOf(database, entry.key, index, field).join('')
    if (text.length < characters) throw changed()
    return text
  }
  return {
    kind,
    notes,
    parts,
    text: (index) => read(index, 'text', parts[index]?.characters ?? 0),
    formulas: (index) => read(index, 'formulas', parts[index]?.hasFormulas ? 1 : 0),
  }
}

/** Looked up by key: after damage, the number may be another document's. */
function blocksOf(database: IndexDatabase, key: string, part: number, field: string): string[] {
  try {
    const rows = database.all<{ text: string }>(
      `SELECT text FROM texts JOIN documents ON documents.id = texts.document
       WHERE key = ? AND part = ? AND field = ? ORDER BY start`,
      ...[key, part, field],
    )
    return rows.map(({ text }) => text)
  } catch (thrown) {
    if (thrown instanceof IndexRemade) throw changed()
    throw thrown
  }
}

const changed = (): Failure => new Failure('changed', 'It has been replaced meanwhile.', 'Read it again.')
