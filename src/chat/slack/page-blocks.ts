import type { Block, KnownBlock } from '@slack/types'
import { cut } from './cards/text.ts'
import { escapeText } from './escape.ts'
import type { MessagePage, Piece, Plan, Task } from './page.ts'

const marks: Record<Task['status'], string> = { pending: '○', in_progress: '◐', complete: '✓', error: '✗' }

const pieceBlock = (piece: Piece): KnownBlock | Block =>
  piece.kind === 'block' ? piece.block : { type: 'markdown', text: piece.text }

const planBlock = ({ title, tasks }: Plan): KnownBlock => ({
  type: 'plan',
  title,
  tasks: tasks.map((task, place) => ({ type: 'task_card', task_id: `task${place}`, ...task })),
})

/** The same in words, for a Slack that does not know plans. */
const planWords = ({ title, tasks }: Plan): KnownBlock => ({
  type: 'context',
  elements: [{ type: 'mrkdwn', text: escapeText(cut([title, ...tasks.map(line)].join('\n'), 590)) }],
})

const line = ({ title, status }: Task): string => `${marks[status]} ${title}`

/** Text of the bot's own that has marks, without a record or buttons. */
export const textBlocks = (pieces: Piece[]): (KnownBlock | Block)[] => pieces.map(pieceBlock)

export function blocksOf({ plan, pieces, tail }: MessagePage, asWords = false): (KnownBlock | Block)[] {
  const record = plan === undefined ? [] : [asWords ? planWords(plan) : planBlock(plan)]
  return [...record, ...textBlocks(pieces), ...tail]
}

/** What it says, without any form. */
export function wordsOf({ text, pieces }: MessagePage, most: number): string {
  const words = pieces.flatMap((piece) => (piece.kind === 'markdown' ? [piece.text] : [])).join('\n\n')
  // A character takes five when it is escaped.
  const whole = escapeText(words)
  if (words === '') return text
  return whole.length <= most ? whole : escapeText(cut(words, Math.floor(most / 5)))
}
