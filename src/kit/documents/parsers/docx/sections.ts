import type { DocumentPart } from '../../document.ts'

/** A paragraph, list item, table or heading as Markdown. */
export interface Block {
  text: string
  /** For a heading: 1 is the highest; 0 is the document's title. */
  level?: number
  /** For a heading: its text without marks. */
  name?: string
  /** An item of a list: it follows the one before without an empty line. */
  isItem?: boolean
  /** Notes that it refers to, to be placed at the end of its section. */
  notes?: string[]
}

/** A part without headings is split at about this many characters. */
const sectionCharacters = 20_000

/**
 * One part per heading of the level that divides the document; parts that are too long are split between paragraphs.
 */
export function sectionsOf(blocks: readonly Block[]): DocumentPart[] {
  const level = dividingLevel(blocks)
  const sections: Block[][] = [[]]
  for (const block of blocks) {
    const starts = block.level !== undefined && block.level <= level
    if (starts && sections.at(-1)?.some((earlier) => earlier.level === undefined || earlier.level >= level))
      sections.push([])
    sections.at(-1)?.push(block)
  }
  const parts: DocumentPart[] = []
  for (const section of sections) {
    const name = section.findLast((block) => block.level !== undefined && block.level <= level)?.name
    const notes = section.flatMap((block) => (block.notes === undefined ? [] : block.notes.map((text) => ({ text }))))
    for (const text of piecesOf([...section, ...notes])) {
      parts.push({ unit: 'section', number: parts.length + 1, ...(name === undefined ? {} : { name }), text })
    }
  }
  return parts
}

/** The highest level with several headings: a single one at the top is the document's title. */
function dividingLevel(blocks: readonly Block[]): number {
  const counts = new Map<number, number>()
  for (const { level } of blocks) if (level !== undefined) counts.set(level, (counts.get(level) ?? 0) + 1)
  const levels = [...counts.keys()].sort((a, b) => a - b)
  return levels.find((level) => level > 0 && (counts.get(level) ?? 0) > 1) ?? levels.find((level) => level > 0) ?? 0
}

function piecesOf(section: readonly Block[]): string[] {
  const pieces: string[] = []
  let lines: string[] = []
  let length = 0
  const end = (): void => {
    if (lines.length > 0) pieces.push(lines.join(''))
    lines = []
    length = 0
  }
  let before: Block | undefined
  for (const block of section) {
    for (const text of slicesOf(block.text)) {
      if (length + text.length > sectionCharacters) end()
      const gap = before?.isItem === true && block.isItem === true ? '\n' : '\n\n'
      lines.push(lines.length === 0 ? text : gap + text)
      length += text.length + 2
    }
    before = block
  }
  end()
  return pieces
}

/** A long table is split between rows; each piece repeats its header. */
function slicesOf(text: string): string[] {
  if (text.trim() === '') return []
  if (text.length <= sectionCharacters || !text.startsWith('|')) return [text]
  const [head = '', rule = '', ...rows] = text.split('\n')
  const slices: string[] = []
  let lines: string[] = []
  let length = 0
  for (const row of rows) {
    if (length + row.length > sectionCharacters && lines.length > 0) {
      slices.push([head, rule, ...lines].join('\n'))
      lines = []
      length = head.length + rule.length
    }
    lines.push(row)
    length += row.length + 1
  }
  slices.push([head, rule, ...lines].join('\n'))
  return slices
}
