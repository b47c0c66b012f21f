import type { Node } from '../docx/model.ts'
import { type CharacterFormat, type Remark, remarkOf } from './characters.ts'
import { type FieldMark, FieldState } from './fields.ts'
import type { Range } from './word-file.ts'

/** A stretch of text that looks the same all over. */
export interface Run extends Range {
  format: CharacterFormat
}

/** What the characters of a part stand for. */
export interface Marks {
  fields: ReadonlyMap<number, FieldMark>
  /** Notes, comments and drawings, by the place of their mark. */
  references: ReadonlyMap<number, Node>
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: Word's marks of notes, pictures and fields.
const pieces = /[\0-\x08\x0b-\x1f(]|[^\0-\x08\x0b-\x1f(]+/g

const lineBreak = '\x0b'
const picture = '\x01'
const hardHyphen = '\x1e'
const symbolMark = '('

/** Makes the contents of a part's paragraphs, one after another. */
export class Inline {
  readonly #text: string
  readonly #marks: Marks
  readonly #authors: readonly string[]
  readonly #fields = new FieldState()

  constructor(text: string, marks: Marks, authors: readonly string[]) {
    this.#text = text
    this.#marks = marks
    this.#authors = authors
  }

  /** What was deleted, inserted or is hidden stands in brackets that say so. */
  nodesOf(runs: readonly Run[], isHiddenByStyle: boolean): Node[] {
    const groups: { remark: Remark | undefined; nodes: Node[]; hasWords: boolean }[] = []
    for (const run of runs) {
      const remark = remarkOf(run.format, isHiddenByStyle, this.#authors)
      const { nodes, hasWords } = this.#run(run)
      if (nodes.length === 0) continue
      let last = groups.at(-1)
      if (last === undefined || last.remark?.text !== remark?.text) {
        last = { remark, nodes: [], hasWords: false }
        groups.push(last)
      }
      for (const node of nodes) last.nodes.push(node)
      last.hasWords ||= hasWords
    }
    return groups.flatMap(({ remark, nodes, hasWords }) => {
      if (remark === undefined) return nodes
      if (!hasWords) return remark.isGone ? nodes.filter((node) => node.type !== 'run') : nodes
      return [plain(`[${remark.text}: `), ...nodes, plain(']')]
    })
  }

  #run({ from, to, format }: Run): { nodes: Node[]; hasWords: boolean } {
    const nodes: Node[] = []
    let said = ''
    let hasWords = false
    const flush = (): void => {
      hasWords ||= said.trim() !== ''
      if (said !== '') nodes.push(this.#linked(runOf(said, format)))
      said = ''
    }
    for (const { 0: piece, index } of this.#text.slice(from, to).matchAll(pieces)) {
      const at = from + index
      const field = this.#marks.fields.get(at)
      const reference = this.#marks.references.get(at)
      if (field !== undefined) {
        flush()
        this.#fields.take(field)
      } else if (!this.#fields.isCode && reference !== undefined) {
        flush()
        nodes.push(reference)
      } else if (!this.#fields.isCode) said += shown(piece, format)
    }
    flush()
    return { nodes, hasWords }
  }

  #linked(node: Node): Node {
    const { href } = this.#fields
    return href === '' ? node : { type: 'hyperlink', children: [node], href }
  }
}

const isMark = (piece: string): boolean => piece < ' ' && piece[0] !== '\t' && piece[0] !== '\n'

function shown(piece: string, { isData, symbol }: CharacterFormat): string {
  if (piece === symbolMark && symbol !== undefined) return symbol
  if (!isMark(piece)) return piece
  if (piece === lineBreak) return '\n'
  if (piece === hardHyphen) return '-'
  return piece === picture && !isData ? '[image]' : ''
}

const runOf = (value: string, { isBold, isItalic, isStruck, isRaised }: CharacterFormat): Node => ({
  type: 'run',
  children: [{ type: 'text', value }],
  isBold,
  isItalic,
  isStrikethrough: isStruck,
  verticalAlignment: isRaised ? 'superscript' : 'baseline',
})

const plain = (value: string): Node => ({ type: 'text', value })
