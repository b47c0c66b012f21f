import { oneLine } from '../../../domain/text.ts'
import { remark } from '../cards/text.ts'
import { escapeText } from '../escape.ts'
import type { Piece } from '../page.ts'
import { withoutPings } from '../pings.ts'

/** What woke the turn, when no message did. */
export const alarmPiece = (words: string): Piece => ({ kind: 'block', block: remark(`⏰ ${oneLine(words, 300)}`) })

export const remarkPiece = (words: string): Piece => ({ kind: 'block', block: remark(oneLine(words, 500)) })

/** What Slack shows in notifications and lists: never longer than an edit may have. */
export const notification = (text: string): string => escapeText(withoutPings(oneLine(text, 600))) || '…'
