import type { Code, Heading, Link, LinkReference, ListItem, Nodes } from 'mdast'
import { definitionOf, imagesAs, linkTo } from '../../../kit/markdown/images.ts'
import { honestLinks } from '../../../kit/markdown/links.ts'
import { sourceOf, startOf } from '../../../kit/markdown/parse.ts'
import { type NodePlace, parsedParts, type Rule, rewritten } from '../../../kit/markdown/rewrite.ts'
import { tableText, wordsIn } from '../../../kit/markdown/tables.ts'

/** A wider code block is wrapped on most screens. */
const widestCode = 76

const line = '─'.repeat(20)

/** A model's Markdown, in the subset that Discord knows. */
export function discordText(markdown: string): string {
  if (!unknown.test(markdown)) return markdown
  return [...parsedParts(markdown)].map((parsed) => rewritten(parsed, asDiscord)).join('')
}

/** What Discord may not know; without any of it, there is no need to parse, which takes time. */
const unknown = /[|~\r]|!\[|\]\[|\]:|\]\(|\[[ ^xX]|#{4}|`{3}|\\$|^[ \t>]*(?:[-*_=][ \t]*)+$|(?: {4}|\t)/m

const asDiscord: Rule = (node, place) => {
  const { parsed, further } = place
  switch (node.type) {
    case 'text':
      return withoutSpoilers(sourceOf(parsed, node))
    case 'table':
      return tableText(node, place, widestCode).join(`\n${further}`)
    case 'heading':
      return heading(node, place)
    case 'thematicBreak':
      return line
    case 'code':
      return code(node, place)
    case 'break':
      return sourceOf(parsed, node).startsWith('\\') ? '\n' : undefined
    case 'listItem':
      return node.checked == null ? undefined : task(node, place)
    case 'link':
    case 'linkReference':
      return link(node, place)
    case 'image':
    case 'imageReference':
      return images(node, place)
    case 'definition':
      return ''
    case 'footnoteReference':
      return `[${node.label ?? node.identifier}]`
    case 'footnoteDefinition':
      return `[${node.label ?? node.identifier}] ${place.inner()}`
    default:
      return honestLinks(node, place)
  }
}

/** Markdown has no spoilers: what stands between two of these would be hidden. */
const withoutSpoilers = (source: string): string | undefined =>
  source.includes('||') ? source.replace(/\\?\|/g, '\\|') : undefined

/** Discord makes no link of words that contain an address with its scheme. */
const withoutSchemes = (words: string): string => words.replace(/https?\\?:(?:\\?\/){2}(?=\S)/gi, '')

/** Backslashes are shown in the words of a link, and brackets may end them. */
const images = imagesAs((words) => withoutSchemes(words).replaceAll('[', '(').replaceAll(']', ')'))

function link(node: Link | LinkReference, place: NodePlace): string | undefined {
  const { parsed } = place
  const url = node.type === 'link' ? node.url : definitionOf(parsed.root, node)?.url
  // Others are addresses as they are.
  if (url === undefined || !sourceOf(parsed, node).startsWith('[')) return honestLinks(node, place)
  const inner = place.inner()
  const words = withoutSchemes(inner)
  const isChanged = words !== inner
  if (isChanged && (node.children as Nodes[]).map(wordsIn).join('') === url && !/[\s<>]/.test(url)) return `<${url}>`
  return honestLinks(node, { ...place, inner: () => words }) ?? (isChanged ? linkTo(words, url) : undefined)
}

/** Discord has three sizes of headings, and no underlined ones. */
function heading(node: Heading, { parsed, inner }: NodePlace): string | undefined {
  const source = sourceOf(parsed, node)
  if (node.depth <= 3 && source.startsWith('#')) return undefined
  const words = inner()
    .split(/\n[ \t>]*/)
    .map((line) => line.trim())
    .join(' ')
  if (node.depth <= 3) return `${'#'.repeat(node.depth)} ${words}`
  // Bold in bold would end it.
  const bare = node.children.some(({ type }) => type === 'strong') ? words.replace(/\*\*|__/g, '') : words
  return bare === '' ? '' : `**${bare}**`
}

/** For code, Discord knows only fences of three backticks, and the next three end it wherever they stand. */
function code(node: Code, { parsed, further }: NodePlace): string | undefined {
  const source = sourceOf(parsed, node)
  if (/^```(?!`)/.test(source) && !node.value.includes('```')) return undefined
  const lines = node.value.replaceAll('```', '`\u200B``').split('\n')
  return [`\`\`\`${node.lang ?? ''}`, ...lines, '```'].join(`\n${further}`)
}

/** A task of a list, with its box as a character. */
function task(node: ListItem, { parsed, inner }: NodePlace): string | undefined {
  const first = node.children[0]
  if (first === undefined) return undefined
  const before = parsed.text.slice(startOf(node), startOf(first))
  const box = before.lastIndexOf('[')
  return box < 0 ? undefined : `${before.slice(0, box)}${node.checked ? '☑' : '☐'} ${inner()}`
}
