import { elementText, isPart, partsAt, said } from './words-in-blocks.ts'

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
  if (cell.type === 'raw_text' || cell.type === 'raw_number') return inCell(cell.text ?? cell.value)
  return partsAt(cell, 'elements', isPart)
    .map((one) => elementText(one, inCell))
    .join(' ')
}

/** Nothing in it is markup, or ends a cell. */
const inCell = (value: unknown): string => said(value).replaceAll('|', '\\|')
