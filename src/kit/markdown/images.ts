import type { Definition, Nodes, Table } from 'mdast'
import { leadsTo } from './leads-to.ts'
import { walk } from './parse.ts'
import type { NodePlace, Rule } from './rewrite.ts'

/** Nothing is fetched when a text is displayed, so a picture becomes a link to it, its words as they are `written`. */
export const imagesAs =
  (written: (words: string) => string): Rule =>
  (node, { parsed, parent }) => {
    if (node.type !== 'image' && node.type !== 'imageReference') return undefined
    const words = written((node.alt || 'image').replace(/\s+/g, ' '))
    // A link can't contain a link.
    if (isLink(parent)) return words
    const url = node.type === 'image' ? node.url : definitionOf(parsed.root, node)?.url
    return url === undefined ? words : linkTo(words, url) + leadsTo(node.alt ?? '', url)
  }

export const imagesToLinks = imagesAs((words) => words.replace(/[\\[\]*_~`<!]/g, '\\$&'))

const isLink = ({ type }: Nodes): boolean => type === 'link' || type === 'linkReference'

/** `words` are Markdown. */
export const linkTo = (words: string, url: string): string =>
  `[${words}](${url.replace(/[\s<>()\\]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`)})`

/** Where a reference points to, if the same part of the text defines it. */
export function definitionOf(
  root: NodePlace['parsed']['root'],
  { identifier }: { identifier: string },
): Definition | undefined {
  let found: Definition | undefined
  walk(root, (node) => {
    if (node.type === 'definition' && node.identifier === identifier) found ??= node
  })
  return found
}

/** The table with links and pictures instead of references, for where it is shown without what defines them. */
export function withoutReferences(root: NodePlace['parsed']['root'], table: Table): Table {
  const copy = structuredClone(table)
  walk(copy, (node) => {
    if (node.type !== 'linkReference' && node.type !== 'imageReference') return
    const url = definitionOf(root, node)?.url
    if (url !== undefined) Object.assign(node, { type: node.type === 'linkReference' ? 'link' : 'image', url })
  })
  return copy
}
