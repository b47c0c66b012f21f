import type { List, PhrasingContent, RootContent, Table } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import type { Block, Json } from './json.ts'

/** The `text` that Slack writes beside Markdown: fenced code as it is, the rest in its own markup. */
export function mrkdwnOf(markdown: string): string {
  return markdown
    .split(/(```[\s\S]*?(?:```|$))/)
    .map((piece, place) =>
      place % 2 === 1
        ? piece
        : piece
            .replaceAll(/\[([^\]]*)\]\(([^)\s]*)\)/g, '<$2|$1>')
            .replaceAll(/\*\*([^\n]+?)\*\*/g, '*$1*')
            .replaceAll(/^#{1,6} /gm, '')
            .replaceAll(/^(\s*)[-*] /gm, '$1• '),
    )
    .join('')
}

type Style = Record<string, true>

const styled = (text: string, style: Style): Json[] =>
  text === '' ? [] : [{ type: 'text', text, ...(Object.keys(style).length > 0 && { style }) }]

function inline(nodes: PhrasingContent[], style: Style = {}): Json[] {
  return nodes.flatMap((node): Json[] => {
    switch (node.type) {
      case 'strong':
        return inline(node.children, { ...style, bold: true })
      case 'emphasis':
        return inline(node.children, { ...style, italic: true })
      case 'delete':
        return inline(node.children, { ...style, strike: true })
      case 'inlineCode':
        return styled(node.value, { ...style, code: true })
      case 'break':
        return styled('\n', style)
      case 'link':
        return [{ type: 'link', url: node.url, text: wordsOf(node.children) }]
      case 'image':
        return [{ type: 'link', url: node.url, text: node.alt ?? '' }]
      default:
        return 'value' in node ? styled(node.value, style) : []
    }
  })
}

const wordsOf = (nodes: PhrasingContent[]): string =>
  nodes.map((node) => ('children' in node ? wordsOf(node.children) : 'value' in node ? node.value : '')).join('')

function listParts(list: List, indent: number): Json[] {
  return list.children.flatMap((item, place) => {
    const own = item.children.flatMap((one) => (one.type === 'paragraph' ? inline(one.children) : []))
    const below = item.children.flatMap((one) => (one.type === 'list' ? listParts(one, indent + 1) : partsOf(one)))
    const kept = below.filter(({ type }) => type !== 'rich_text_section')
    const style = list.ordered ? 'ordered' : 'bullet'
    const offset = list.ordered && place > 0 ? { offset: place } : {}
    const section = { type: 'rich_text_section', elements: own }
    return [{ type: 'rich_text_list', style, indent, ...offset, elements: [section] }, ...kept]
  })
}

function partsOf(node: RootContent): Json[] {
  switch (node.type) {
    case 'heading':
      return [{ type: 'rich_text_section', elements: inline(node.children, { bold: true }) }]
    case 'paragraph':
      return [{ type: 'rich_text_section', elements: inline(node.children) }]
    case 'list':
      return listParts(node, 0)
    case 'code':
      return [{ type: 'rich_text_preformatted', elements: styled(node.value, {}) }]
    case 'blockquote': {
      const elements = node.children.flatMap((one) =>
        'children' in one ? inline(one.children as PhrasingContent[]) : [],
      )
      return [{ type: 'rich_text_quote', elements }]
    }
    default:
      return 'value' in node ? [{ type: 'rich_text_section', elements: styled(node.value, {}) }] : []
  }
}

const tableOf = ({ children, align }: Table): Block => ({
  type: 'table',
  column_settings: (align ?? []).map((one) => ({ align: one ?? 'left' })),
  rows: children.map((row) =>
    row.children.map((cell) => ({
      type: 'rich_text',
      elements: [{ type: 'rich_text_section', elements: inline(cell.children) }],
    })),
  ),
})

/** A single line of plain text, which needs no parser. */
const plain = /^[\p{L}\p{N}][\p{L}\p{N} ,.;:?!()'"-]*$/u

/** Slack keeps no Markdown: what comes back is rich text, with a block of its own for a table or a line. */
export function blocksOfMarkdown(markdown: string): Block[] {
  if (plain.test(markdown))
    return [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: styled(markdown, {}) }] }]
  const { children } = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  const done: Block[] = []
  for (const node of children) {
    const last = done.at(-1)
    if (node.type === 'table') done.push(tableOf(node))
    else if (node.type === 'thematicBreak') done.push({ type: 'divider' })
    else if (last?.type === 'rich_text') last.elements = [...(last.elements as Json[]), ...partsOf(node)]
    else done.push({ type: 'rich_text', elements: partsOf(node) })
  }
  return done
}
