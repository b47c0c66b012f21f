/** The converter's result, as far as it is used here. */
export interface DocumentNode {
  children: Node[]
  notes: { resolve(reference: { noteType: string; noteId: string }): { body: Node[] } | null }
  comments: { commentId: string; body: Node[]; authorName: string | null }[]
}

export type Node =
  | { type: 'paragraph'; children: Node[] }
  | Run
  | { type: 'text'; value: string }
  | { type: 'tab' }
  | { type: 'break'; breakType: string }
  | { type: 'checkbox'; checked: boolean }
  | { type: 'hyperlink'; children: Node[]; href?: string }
  | { type: 'noteReference'; noteType: string; noteId: string }
  | { type: 'commentReference'; commentId: string }
  | { type: 'bookmarkStart'; name: string }
  | TableNode
  | { type: 'image' }

interface Run {
  type: 'run'
  children: Node[]
  isBold: boolean
  isItalic: boolean
  isStrikethrough: boolean
  verticalAlignment: string
}

export interface TableNode {
  type: 'table'
  children: {
    type: 'tableRow'
    children: { type: 'tableCell'; children: Node[]; colSpan: number; rowSpan: number }[]
  }[]
}
