import { mostText, slackMessages } from './blocks.ts'
import type { Piece } from './page.ts'

/** Markdown of a model's as Slack shows it, as far as one message holds it. */
export const piecesOf = (markdown: string): Piece[] => slackMessages(markdown.slice(0, mostText * 2))[0] ?? []
