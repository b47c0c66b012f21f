import type { Block, KnownBlock } from '@slack/types'
import { cut, preformatted } from '../cards/elements.ts'
import { escapeText } from '../text/escape.ts'
import type { Piece } from '../text/piece.ts'
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

/** What it says, without any formatting. */
export function pageText({ text, ping, pieces }: MessagePage, most: number): string {
  const words = pieces.flatMap((piece) => (piece.kind === 'markdown' ? [piece.text] : [])).join('\n\n')
  // A character takes five when it is escaped.
  const whole = escapeText(words)
  if (words === '') return text
  const fitting = whole.length <= most ? whole : escapeText(cut(words, Math.floor(most / 5)))
  return ping ? `${ping} ${fitting}` : fitting
}
