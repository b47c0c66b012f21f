import type { Nodes } from 'mdast'
import { definitionOf, linkTo } from './images.ts'
import { leadsTo } from './leads-to.ts'
import { sourceOf } from './parse.ts'
import type { Rule } from './rewrite.ts'
import { wordsIn } from './tables.ts'

/**
 * A link whose words are another address than the one it leads to says that one too. A reference becomes a link, since
 * what defines it may be shown in another message. Raw HTML contains no links.
 */
export const honestLinks: Rule = (node, place) => {
  if (node.type === 'html') return withoutLinks(sourceOf(place.parsed, node))
  if (node.type !== 'link' && node.type !== 'linkReference') return undefined
  const url = node.type === 'link' ? node.url : definitionOf(place.parsed.root, node)?.url
  if (url === undefined) return undefined
  const notice = leadsTo((node.children as Nodes[]).map(wordsIn).join(''), url)
  return notice === '' && node.type === 'link' ? undefined : linkTo(place.inner(), url) + notice
}

/** Platforms that know no HTML would show its text as Markdown, which nobody has looked at. */
const withoutLinks = (html: string): string => html.replace(/\\[\s\S]|\[/g, (part) => (part === '[' ? '\\[' : part))
