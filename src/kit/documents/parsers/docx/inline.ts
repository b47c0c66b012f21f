import { raised, struck } from '../text/marks.ts'
import type { DocumentNode, Node } from './model.ts'

/** What a document's text refers to, each shown once. */
export class References {
  readonly #document: DocumentNode
  readonly #numbers = new Map<string, number>()
  readonly #comments: Map<string, DocumentNode['comments'][number]>
  readonly #resolved: ReadonlySet<string>

  /** `resolved`: ids of comments. */
  constructor(document: DocumentNode, resolved: ReadonlySet<string> = new Set()) {
    this.#document = document
    this.#resolved = resolved
    this.#comments = new Map(document.comments.map((comment) => [comment.commentId, comment]))
  }

  /** The number of a note, counted through the document; its text comes with the first reference only. */
  note(reference: { noteType: string; noteId: string }): { number: number; body?: Node[] } | undefined {
    const key = `${reference.noteType}-${reference.noteId}`
    const known = this.#numbers.get(key)
    if (known !== undefined) return { number: known }
    const body = this.#document.notes.resolve(reference)?.body
    if (body === undefined) return undefined
    this.#numbers.set(key, this.#numbers.size + 1)
    return { number: this.#numbers.size, body }
  }

  /** A comment, the first time it is asked for. */
  comment(id: string): DocumentNode['comments'][number] | undefined {
    const comment = this.#comments.get(id)
    this.#comments.delete(id)
    return comment
  }

  isResolved(id: string): boolean {
    return this.#resolved.has(id)
  }
}

/** A paragraph's text, and related texts from elsewhere. */
export interface Inline {
  text: string
  mark: string | undefined
  notes: { number: number; body: Node[] }[]
  comments: DocumentNode['comments'][number][]
}

interface Piece {
  text: string
  marks: string
}

/** `isPlain`: without bold and italics, as in headings and cells. */
export function inlineOf(nodes: readonly Node[], references: References, isPlain: boolean): Inline {
  const words = new Words()
  const inline: Inline = { text: '', mark: undefined, notes: [], comments: [] }
  const walk = (node: Node, place: Place): void => {
    if (node.type === 'text') words.say(place.isRaised ? raised(node.value) : node.value, place)
    else if (node.type === 'tab') words.say('\t', place)
    else if (node.type === 'break') words.say('\n', place)
    else if (node.type === 'checkbox') words.say(node.checked ? '[x]' : '[ ]', plain)
    else if (node.type === 'bookmarkStart') inline.mark ??= node.name
    else if (node.type === 'run') {
      const looks = isPlain ? '' : `${node.isBold ? '**' : ''}${node.isItalic ? '*' : ''}`
      const marks = `${looks}${node.isStrikethrough ? '~~' : ''}`
      const isRaised = node.verticalAlignment === 'superscript'
      for (const child of node.children) walk(child, { ...place, marks, isRaised })
    } else if (node.type === 'hyperlink') {
      for (const child of node.children) walk(child, { ...place, href: node.href ?? '' })
    } else if (node.type === 'noteReference') {
      const note = references.note(node)
      if (note !== undefined) words.say(`[^${note.number}]`, plain)
      if (note?.body !== undefined) inline.notes.push({ number: note.number, body: note.body })
    } else if (node.type === 'commentReference') {
      const comment = references.comment(node.commentId)
      if (comment !== undefined) inline.comments.push(comment)
    }
  }
  for (const node of nodes) walk(node, plain)
  inline.text = words.text()
  return inline
}

interface Place {
  marks: string
  isRaised: boolean
  href: string
}

const plain: Place = { marks: '', isRaised: false, href: '' }

/** An address is stored once in a file, but may be shown at every word. */
const addressCharacters = 500

/** Joins runs. A link may have several; its address stands at its end. */
export class Words {
  readonly #pieces: Piece[] = []
  #link = { href: '', words: '' }

  say(text: string, { marks, href }: { marks: string; href: string }): void {
    if (href !== this.#link.href) this.#endLink(href)
    if (href !== '') this.#link.words += text
    this.#add(text, marks)
  }

  text(): string {
    this.#endLink('')
    return this.#pieces.map(marked).join('').trim()
  }

  #add(text: string, marks: string): void {
    if (text === '') return
    const last = this.#pieces.at(-1)
    if (last !== undefined && last.marks === marks) last.text += text
    else this.#pieces.push({ text, marks })
  }

  #endLink(next: string): void {
    const { href, words } = this.#link
    this.#link = { href: next, words: '' }
    const address = href.slice(0, addressCharacters)
    if (address === '' || words.trim() === '' || isSame(words.trim(), address)) return
    this.#add(` (${address})`, '')
  }
}

/** Whether the words of a link already say where it leads. */
export const isSame = (words: string, href: string): boolean =>
  words === href || words === href.replace(/^(https?:\/\/|mailto:)/, '').replace(/\/$/, '')

/** The marks stand at the words: in Markdown they mean nothing beside a space. */
function marked({ text, marks }: Piece): string {
  const words = text.trim()
  if (marks === '' || words === '') return text
  if (words.includes('\n')) return marks.endsWith('~~') ? struck(text) : text
  const start = text.indexOf(words)
  const closing = marks === '***~~' ? '~~***' : [...marks].reverse().join('')
  return text.slice(0, start) + marks + words + closing + text.slice(start + words.length)
}
