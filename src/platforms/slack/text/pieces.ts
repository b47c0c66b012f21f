import type { Piece } from './piece.ts'
import { mostText, slackMessages } from './slack-messages.ts'

/** Markdown of a model's as Slack shows it, as far as one message holds it. */
export const piecesOf = (markdown: string): Piece[] => slackMessages(markdown.slice(0, mostText * 2))[0] ?? []
