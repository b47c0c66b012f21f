import {
  BorderStyle,
  HeadingLevel,
  PageBreak,
  Paragraph,
  ShadingType,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from 'docx'
import { leaveOut, runsOf } from './runs.mjs'

/** Levels of a list; deeper ones are put on the last. */
export const depth = 9

const headings = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
]
const alignments = { left: 'left', center: 'center', right: 'right' }

/** The numbering of lists that begin with this number. */
export const numbersFrom = (start) => `numbers-${start}`

/** Markdown as parts of a Word document, its footnotes by number, and the numbers that lists begin with. */
export async function blocksOf(tree, { widthMm }) {
  const notes = tree.children.filter(({ type }) => type === 'footnoteDefinition')
  const links = Object.fromEntries(
    tree.children.filter(({ type }) => type === 'definition').map(({ identifier, url }) => [identifier, url]),
  )
  const context = {
    widthMm,
    links,
    notes: new Map(notes.map(({ identifier }, place) => [identifier, place + 1])),
    lists: 0,
    starts: new Set(),
    htmlLeftOut: 0,
  }
  const footnotes = {}
  for (const note of notes) {
    const children = await eachOf(note.children, context, {})
    footnotes[context.notes.get(note.identifier)] = { children }
  }
  const blocks = await eachOf(tree.children, context, {})
  return { blocks, footnotes, starts: [...context.starts], htmlLeftOut: context.htmlLeftOut }
}

async function eachOf(nodes, context, around) {
  const blocks = []
  for (const node of nodes) blocks.push(...(await blockOf(node, context, around)))
  return blocks
}

async function blockOf(node, context, around) {
  const kind = kinds[node.type]
  return kind === undefined ? [] : kind(node, context, around)
}

const kinds = {
  async heading({ depth: level, children }, context) {
    return [new Paragraph({ heading: headings[level - 1], children: await runsOf(children, context) })]
  },
  async paragraph({ children }, context, around) {
    return [new Paragraph({ ...around, children: await runsOf(children, context) })]
  },
  blockquote: ({ children }, context) => eachOf(children, context, { style: 'Quote' }),
  async list({ ordered, start, children }, context, { level = -1 }) {
    const own = Math.min(level + 1, depth - 1)
    const instance = ++context.lists
    const from = start ?? 1
    if (ordered) context.starts.add(from)
    const blocks = []
    for (const { children: parts, checked } of children) {
      const [first, ...others] = parts
      const numbering = { reference: ordered ? numbersFrom(from) : 'bullets', level: own, instance }
      const lead = typeof checked === 'boolean' ? [new TextRun(checked ? '☑ ' : '☐ ')] : []
      const runs = first?.type === 'paragraph' ? await runsOf(first.children, context) : []
      blocks.push(new Paragraph({ numbering, spacing: { after: 60 }, children: [...lead, ...runs] }))
      const rest = first?.type === 'paragraph' || first === undefined ? others : parts
      blocks.push(...(await eachOf(rest, context, { level: own, indent: { left: 500 * (own + 1) } })))
    }
    return blocks
  },
  code({ value }) {
    const lines = value.split('\n').map((text, place) => new TextRun({ text, break: place === 0 ? 0 : 1 }))
    const shading = { type: ShadingType.CLEAR, fill: 'F2F2F2' }
    return [new Paragraph({ style: 'Code', shading, children: lines })]
  },
  thematicBreak: () => [
    new Paragraph({ border: { bottom: { style: BorderStyle.SINGLE, size: 6, color: 'AAAAAA' } }, children: [] }),
  ],
  html({ value }, context) {
    if (/^<!--\s*page\s*-->$/i.test(value.trim())) return [new Paragraph({ children: [new PageBreak()] })]
    leaveOut(value, context)
    return []
  },
  async table({ align = [], children }, context) {
    const rows = []
    for (const [place, { children: cells }] of children.entries()) {
      const made = []
      for (const [column, cell] of cells.entries()) {
        const runs = await runsOf(cell.children, context, place === 0 ? { bold: true } : {})
        const alignment = alignments[align[column]]
        made.push(
          new TableCell({
            margins: { top: 60, bottom: 60, left: 100, right: 100 },
            ...(place === 0 && { shading: { type: ShadingType.CLEAR, fill: 'DDEBF7' } }),
            children: [new Paragraph({ spacing: { after: 0 }, ...(alignment && { alignment }), children: runs })],
          }),
        )
      }
      rows.push(new TableRow({ tableHeader: place === 0, cantSplit: true, children: made }))
    }
    return [new Table({ rows, width: { size: 100, type: WidthType.PERCENTAGE } }), new Paragraph({ children: [] })]
  },
}
