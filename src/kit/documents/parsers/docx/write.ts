import { resolvedMark } from '../text/marks.ts'
import { type Inline, inlineOf, type References } from './inline.ts'
import type { Node, TableNode } from './model.ts'
import type { Block } from './sections.ts'
import { markdownTable, type TableCell } from './tables.ts'

/** The converter's model as Markdown blocks. */
export function blocksOf(nodes: readonly Node[], references: References): Block[] {
  const blocks: Block[] = []
  let loose: Node[] = []
  const flush = (): void => {
    if (loose.length > 0) blocks.push(...paragraphBlocks(loose, references))
    loose = []
  }
  for (const node of nodes) {
    if (node.type !== 'paragraph' && node.type !== 'table') {
      loose.push(node)
      continue
    }
    flush()
    blocks.push(...(node.type === 'table' ? tableBlocks(node, references) : paragraphBlocks(node.children, references)))
  }
  flush()
  return blocks
}

function paragraphBlocks(children: readonly Node[], references: References): Block[] {
  const named = children.find((node) => node.type === 'bookmarkStart')
  const { headingLevel, item } = markOf(named?.type === 'bookmarkStart' ? named.name : undefined)
  const { text, notes, comments } = inlineOf(children, references, headingLevel !== undefined)
  const remarks = notes.map(({ number, body }) => `[^${number}]: ${plainText(body, references)}`)
  const isEmpty = labelled(text, item) === '' && remarks.length === 0
  const blocks: Block[] = isEmpty ? [] : [blockOf(text, headingLevel, item, remarks)]
  for (const comment of comments) blocks.push(commentBlock(comment, references))
  return blocks
}

function commentBlock({ commentId, authorName, body }: Inline['comments'][number], references: References): Block {
  const author = `${authorName ?? 'unknown'}${references.isResolved(commentId) ? resolvedMark : ''}`
  return { text: `> comment (${author}): ${plainText(body, references)}` }
}

type Mark = { headingLevel?: number; item?: { level: number; label: string } }

/** Written by tidy.ts only: it leaves out other bookmarks. */
const markOf = (name: string | undefined): Mark => (name === undefined ? {} : (JSON.parse(name) as Mark))

/** A number alone says something, unlike a bullet. */
const labelled = (text: string, item: Mark['item']): string =>
  item === undefined || (text === '' && item.label === '-') ? text : `${item.label} ${text}`.trim()

function blockOf(text: string, headingLevel: number | undefined, item: Mark['item'], notes: string[]): Block {
  const referring = notes.length > 0 ? { notes } : {}
  if (headingLevel !== undefined && text !== '') {
    const name = labelled(text.replaceAll('\n', ' '), item?.label === '-' ? undefined : item)
    const marks = '#'.repeat(Math.min(6, Math.max(1, headingLevel)))
    return { text: `${marks} ${name}`, level: headingLevel, name: name.replace(/\[\^\d+\]/g, '').trim(), ...referring }
  }
  if (item === undefined) return { text, ...referring }
  const indent = '  '.repeat(item.level)
  return { text: `${indent}${labelled(text.replaceAll('\n', `\n${indent}  `), item)}`, isItem: true, ...referring }
}

/** Text on one line, as in a note; paragraphs follow one another, tables are flattened. */
function plainText(nodes: readonly Node[], references: References): string {
  return blocksInCell(nodes, references, new Aside())
    .map((text) => text.replaceAll('\n', ' '))
    .join(' ')
}

/** What cells refer to, which stands below their table. */
class Aside {
  readonly notes: string[] = []
  readonly comments: Block[] = []

  take(blocks: readonly Block[]): void {
    for (const block of blocks) {
      this.notes.push(...(block.notes ?? []))
      if (block.text.startsWith('> comment (')) this.comments.push(block)
    }
  }
}

function tableBlocks(table: TableNode, references: References): Block[] {
  const aside = new Aside()
  const rows = rowsOf(table).map((cells) =>
    cells.map(({ children, colSpan, rowSpan }): TableCell => {
      const lines = blocksInCell(children, references, aside)
      return { text: lines.join('\n'), columns: colSpan, rows: rowSpan }
    }),
  )
  const [only] = rows
  // A frame around text, not a table.
  const isFrame = rows.length === 1 && only?.length === 1
  const text = isFrame ? (only?.[0]?.text ?? '') : markdownTable(rows)
  return [{ text, ...(aside.notes.length > 0 ? { notes: aside.notes } : {}) }, ...aside.comments]
}

const rowsOf = (table: TableNode): TableNode['children'][number]['children'][] =>
  table.children
    .filter(({ type }) => type === 'tableRow')
    .map((row) => row.children.filter(({ type }) => type === 'tableCell'))

function blocksInCell(nodes: readonly Node[], references: References, aside: Aside): string[] {
  const lines: string[] = []
  let loose: Node[] = []
  const flush = (): void => {
    const blocks = loose.length > 0 ? cellParagraph(loose, references) : []
    aside.take(blocks)
    for (const { text } of blocks) if (text !== '' && !text.startsWith('> comment (')) lines.push(text)
    loose = []
  }
  for (const node of nodes) {
    if (node.type === 'paragraph') {
      flush()
      loose = [...node.children]
      flush()
    } else if (node.type === 'table') {
      flush()
      for (const cells of rowsOf(node))
        lines.push(cells.map(({ children }) => blocksInCell(children, references, aside).join(' ')).join(', '))
    } else loose.push(node)
  }
  flush()
  return lines
}

function cellParagraph(children: readonly Node[], references: References): Block[] {
  const named = children.find((node) => node.type === 'bookmarkStart')
  const { item } = markOf(named?.type === 'bookmarkStart' ? named.name : undefined)
  const { text, notes, comments } = inlineOf(children, references, true)
  return [
    {
      text: labelled(text, item),
      notes: notes.map(({ number, body }) => `[^${number}]: ${plainText(body, references)}`),
    },
    ...comments.map((comment) => commentBlock(comment, references)),
  ]
}
