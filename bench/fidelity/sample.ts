import type { DocumentKind, ParsedDocument } from '../../src/kit/documents/document.ts'

/** A table as a person sees it, with its header. `null` is a place that a merged cell covers, which isn't checked. */
export interface Table {
  rows: (string | null)[][]
  /** Of a workbook: its sheet, whose rows and columns count from A1. */
  sheet?: string
}

export const markKinds = [
  'headings',
  'list items',
  'footnotes',
  'comments',
  'notes',
  'hidden',
  'links',
  'formulas',
  'facts',
] as const

/** Something besides plain text that has to be found, such as a heading. */
export interface Mark {
  kind: (typeof markKinds)[number]
  text: string
  /** Of a list item: how deep it lies, from 0. */
  level?: number
  /** Of a footnote: the words that it belongs to. */
  at?: string
}

/** A file whose text is known. */
export interface Sample {
  kind: DocumentKind
  feature: string
  name: string
  bytes: Uint8Array
  /** Paragraphs and cells in reading order, as a person sees them. */
  blocks: string[]
  /** The blocks whose order is checked; by default all. */
  ordered?: string[]
  tables?: Table[]
  marks?: Mark[]
}

export interface Read {
  document: ParsedDocument
  /** All parts, one below the other. */
  text: string
}

export const textsOf = (tables: Table[]): string[] =>
  tables.flatMap(({ rows }) => rows.flat().filter((text) => text !== null && text !== '')) as string[]

export const folded = (text: string): string => text.replace(/\s+/g, ' ').trim()
