import type { Block, KnownBlock } from '@slack/types'
import { cut, preformatted } from '../cards/elements.ts'
import { escapeText } from '../text/escape.ts'
import type { Piece } from '../text/piece.ts'
import { textsIn } from '../text/texts-in-blocks.ts'
import type { MessagePage, Plan, Task } from './page.ts'

const marks: Record<Task['status'], string> = { pending: '○', in_progress: '◐', complete: '✓', error: '✗' }

const pieceBlock = (piece: Piece): KnownBlock | Block =>
  piece.kind === 'block' ? piece.block : { type: 'markdown', text: piece.text }

const planBlock = ({ title, tasks }: Plan): KnownBlock => ({
  type: 'plan',
  title,
  tasks: tasks.map(({ output, ...task }, place) => ({
    type: 'task_card',
    task_id: `task${place}`,
    ...task,
    ...(output === undefined ? {} : { output: preformatted(output, 500) }),
  })),
})

/** The same in words, for a Slack without plans. */
const planWords = ({ title, tasks }: Plan): KnownBlock => ({
  type: 'context',
  elements: [{ type: 'mrkdwn', text: escapeText(cut([title, ...tasks.map(line)].join('\n'), 590)) }],
})

const line = ({ title, status, output }: Task): string =>
  `${marks[status]} ${title}${output === undefined ? '' : `\n${output}`}`

/** The bot's own text with markup, without a record or buttons. */
export const textBlocks = (pieces: Piece[]): (KnownBlock | Block)[] => pieces.map(pieceBlock)

export function blocksOf({ plan, pieces, tail }: MessagePage, asWords = false): (KnownBlock | Block)[] {
  const record = plan === undefined ? [] : [asWords ? planWords(plan) : planBlock(plan)]
  return [...record, ...textBlocks(pieces), ...tail]
}

const rowsOf = (block: KnownBlock | Block): unknown[] =>
  block.type === 'table' && 'rows' in block && Array.isArray(block.rows) ? block.rows : []

/** A cell may have several texts. */
const rowText = (row: unknown): string =>
  (Array.isArray(row) ? row : [])
    .map((cell) => [...textsIn(cell)].join('').trim())
    .join(' | ')
    .trimEnd()

/** What a piece says without formatting; nothing for what isn't the bot's own text. */
const pieceText = (piece: Piece): string =>
  piece.kind === 'markdown' ? piece.text : rowsOf(piece.block).map(rowText).join('\n')

const wordsOf = ({ pieces }: MessagePage): string =>
  pieces
    .map(pieceText)
    .filter((text) => text !== '')
    .join('\n\n')

/** Whether so many bytes are enough for all that it says. */
export const isWhole = (page: MessagePage, most: number): boolean =>
  Buffer.byteLength(escapeText(wordsOf(page))) <= most

/** What it says, without any formatting, in so many bytes. */
export function pageText(page: MessagePage, most: number): string {
  const { text, ping } = page
  const words = wordsOf(page)
  if (words === '') return text
  // A character takes five when it is escaped.
  const fitting = escapeText(isWhole(page, most) ? words : cut(words, Math.floor(most / 5)))
  return ping ? `${ping} ${fitting}` : fitting
}
