import type { MessageId, TurnId } from './ids.ts'

/** A message's pages are known by its key and their place. */
export const pageKey = (key: string, index: number): string => `${key}.${index}`

/** The key of the message to which a page belongs. */
export const messageOfPage = (page: string): string => page.slice(0, page.indexOf('.'))

/** By which a turn's message is known from its first sign of progress on. */
export const replyKey = (turn: TurnId, segment: number): MessageId => `msg_${turn.slice('turn_'.length)}_${segment}`
