import type { Nodes } from 'mdast'
import { parseMarkdown } from './parse.ts'
import { cutText } from './segments.ts'
import { normalised } from './tame.ts'

/** Marks make text longer, so this many characters are read for each one that is wanted. */
const sourcePerCharacter = 2

/** Escapes one line so that Markdown shows it as it is. */
const unmarked = /^[\p{L}@][\p{L}\p{N} @.,;:!?'"()%–…]*$/u

/** The beginning of what Markdown says, without its marks, on one line: for places that show plain text. */
export function plainWords(markdown: string, most: number): string {
  const source = markdown.slice(0, most * sourcePerCharacter)
  const words = unmarked.test(source) ? source : wordsIn(parseMarkdown(normalised(source)).root)
  return cutText(words.replace(/\s+/g, ' ').trim(), most)
}

function wordsIn(node: Nodes): string {
  switch (node.type) {
    case 'text':
    case 'inlineCode':
    case 'code':
    case 'html':
      return node.value
    case 'image':
    case 'imageReference':
      return node.alt ?? ''
    case 'break':
      return ' '
    default:
      return 'children' in node ? node.children.map(wordsIn).join(isInline(node) ? '' : ' ') : ''
  }
}

/** Nodes whose children stay on one line. */
const isInline = ({ type }: Nodes): boolean =>
  ['paragraph', 'heading', 'tableCell', 'emphasis', 'strong', 'delete', 'link', 'linkReference'].includes(type)
