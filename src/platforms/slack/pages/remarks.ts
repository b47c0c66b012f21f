import { plainWords } from '../../../kit/markdown/plain-words.ts'
import { oneLine } from '../../../kit/text/text.ts'
import { remark } from '../cards/elements.ts'
import { escapeText } from '../text/escape.ts'
import type { Piece } from '../text/piece.ts'
import { withoutPings } from '../text/without-pings.ts'

/** What woke the turn, if it wasn't a message. */
export const alarmPiece = (words: string): Piece => ({ kind: 'block', block: remark(`⏰ ${oneLine(words, 300)}`) })

export const remarkPiece = (words: string): Piece => ({ kind: 'block', block: remark(oneLine(words, 500)) })

/** Never longer than an edit may be. */
const longestNotification = 600

/** What Slack shows in notifications and lists. Half a character can’t be sent at all. */
export const notification = (text: string): string =>
  escapeText(withoutPings(oneLine(text, longestNotification).toWellFormed())) || '…'

/** The same for Markdown: its marks would be shown as they are. */
export const notificationOf = (markdown: string): string => notification(plainWords(markdown, longestNotification))
