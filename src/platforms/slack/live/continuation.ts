import type { AnyChunk } from '@slack/types'
import type { Plan } from '../pages/page.ts'
import { taskId } from '../post/key.ts'
import type { Piece } from '../text/piece.ts'

/** What a stream shows: its plan, and below it text and tables in order. */
export interface Shown {
  plan: Plan | undefined
  pieces: Piece[]
}

export const nothingShown: Shown = { plan: undefined, pieces: [] }

/** The most characters that Slack accepts in one chunk. */
const mostText = 12_000

/**
 * What a stream that shows `sent` needs to show `next`. Undefined if no stream can get there: text that was sent stays,
 * and only tasks can be changed.
 */
export function continuation(key: string, sent: Shown, next: Shown): AnyChunk[] | undefined {
  const plan = planChunks(key, sent.plan, next.plan)
  const pieces = pieceChunks(sent.pieces, next.pieces)
  return plan && pieces && [...plan, ...pieces]
}

function planChunks(key: string, sent: Plan | undefined, next: Plan | undefined): AnyChunk[] | undefined {
  if (next === undefined) return sent === undefined ? [] : undefined
  const before = sent?.tasks ?? []
  if (next.tasks.length < before.length) return undefined
  const changed = next.tasks.flatMap((task, place): AnyChunk[] => {
    const old = before[place]
    const { title, status, sources } = task
    const isSame = old?.title === title && old.status === status && old.sources?.length === sources?.length
    if (isSame) return []
    return [{ type: 'task_update', id: taskId(key, String(place)), title, status, ...(sources && { sources }) }]
  })
  return next.title === sent?.title ? changed : [{ type: 'plan_update', title: next.title }, ...changed]
}

function pieceChunks(sent: Piece[], next: Piece[]): AnyChunk[] | undefined {
  if (next.length < sent.length) return undefined
  const chunks: AnyChunk[] = []
  for (const [place, piece] of next.entries()) {
    const added = addedTo(sent[place], piece, place === sent.length - 1)
    if (added === undefined) return undefined
    chunks.push(...added)
  }
  return chunks
}

/** What to add for one piece. Only the last one sent may have grown. */
function addedTo(sent: Piece | undefined, next: Piece, wasLast: boolean): AnyChunk[] | undefined {
  if (sent === undefined) return chunksOf(next)
  if (sent.kind === 'block' || next.kind === 'block') {
    return JSON.stringify(sent) === JSON.stringify(next) ? [] : undefined
  }
  if (sent.text === next.text) return []
  if (!wasLast || !next.text.startsWith(sent.text)) return undefined
  return textChunks(next.text.slice(sent.text.length))
}

const chunksOf = (piece: Piece): AnyChunk[] =>
  piece.kind === 'block' ? [{ type: 'blocks', blocks: [piece.block] }] : textChunks(piece.text)

function textChunks(text: string): AnyChunk[] {
  const chunks: AnyChunk[] = []
  for (let at = 0; at < text.length; at += mostText) {
    chunks.push({ type: 'markdown_text', text: text.slice(at, at + mostText) })
  }
  return chunks
}
