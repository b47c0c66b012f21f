import { escapeText } from './escape.ts'

type Part = Record<string, unknown>

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null && !Array.isArray(value)

export const isTable = (block: unknown): boolean => isPart(block) && block.type === 'table'

/** Each table among the blocks in Slack's markup, a line for each row. Cells that people paste become such a table. */
export const tablesIn = (blocks: unknown[]): string[] =>
  blocks
    .filter((block) => isTable(block))
    .map((block) => partsAt(block, 'rows', Array.isArray).map(rowText).filter(Boolean).join('\n'))
    .filter((table) => table !== '')

const rowText = (row: unknown[]): string => {
  const cells = row.map((cell) => cellText(cell).replaceAll(/\s+/g, ' ').trim())
  return cells.some((cell) => cell !== '') ? cells.join(' | ') : ''
}

function cellText(cell: unknown): string {
  if (!isPart(cell)) return ''
  if (cell.type === 'raw_text' || cell.type === 'raw_number') return said(cell.text ?? cell.value)
  return partsAt(cell, 'elements', isPart).map(elementText).join(' ')
}

/** What stands in a cell: paragraphs, lists, and what these consist of. */
function elementText(element: Part): string {
  const parts = partsAt(element, 'elements', isPart)
  switch (element.type) {
    case 'rich_text_list':
      return parts.map(elementText).join(' ')
    case 'user':
      return `<@${element.user_id}>`
    case 'channel':
      return `<#${element.channel_id}>`
    case 'usergroup':
      return `<!subteam^${element.usergroup_id}>`
    case 'broadcast':
      return `<!${element.range}>`
    case 'link':
      return `<${said(element.url).replaceAll('\\|', '%7C')}${element.text === undefined ? '' : `|${said(element.text)}`}>`
    case 'emoji':
      return `:${said(element.name)}:`
    default:
      return parts.length > 0 ? parts.map(elementText).join('') : said(element.text ?? element.fallback)
  }
}

/** Nothing in it is markup, or ends a cell. */
const said = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? escapeText(String(value)).replaceAll('|', '\\|') : ''

const partsAt = <T>(value: unknown, key: string, is: (one: unknown) => one is T): T[] => {
  const list = isPart(value) ? value[key] : undefined
  return Array.isArray(list) ? list.filter(is) : []
}
