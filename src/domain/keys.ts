import type { MessageId, TurnId } from './ids.ts'

export const pageKey = (key: string, index: number): string => `${key}.${index}`

export const messageOfPage = (page: string): string => page.slice(0, page.indexOf('.'))

/** The key of a turn's message, from its first sign of progress. */
export const replyKey = (turn: TurnId, segment: number): MessageId => `${beginning(turn)}_${segment}`

/** All keys of a turn's messages are at least the first of these, and less than the second. */
export const replyKeys = (turn: TurnId): [from: string, to: string] => [`${beginning(turn)}_`, `${beginning(turn)}\``]

const beginning = (turn: TurnId): MessageId => `msg_${turn.slice('turn_'.length)}`
