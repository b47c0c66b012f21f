import type { ThreadRef } from './chat.ts'
import type { AlarmId, MessageId, TurnId } from './ids.ts'

/** The key under which a message of a platform is received, as often as it comes. */
export const messageKey = (
  { platform, tenant, project }: Pick<ThreadRef, 'platform' | 'tenant' | 'project'>,
  message: string,
): string => [platform, tenant, project, message].join(':')

/** The platform's id of the message. */
export const messageInKey = (key: string): string => key.slice(key.lastIndexOf(':') + 1)

export const pageKey = (key: string, index: number): string => `${key}.${index}`

export const messageOfPage = (page: string): string => page.slice(0, page.indexOf('.'))

/** The key of a turn's message, from its first sign of progress. */
export const replyKey = (turn: TurnId, segment: number): MessageId => `${beginning(turn)}_${segment}`

/** Of what people are told when an alarm rings that the model doesn't read yet. */
export const ringKey = (alarm: AlarmId, dueAt: number): string => `${alarm}_${dueAt}`

/** All of an alarm's are at least the first of these, and less than the second. */
export const ringKeys = (alarm: AlarmId): [from: string, to: string] => [`${alarm}_`, `${alarm}\``]

/** The turn that a message with this key belongs to, if it is a turn's. */
export function turnOfReply(key: string): TurnId | undefined {
  const [, id] = /^msg_([^_]+)_\d+$/.exec(key) ?? []
  return id === undefined ? undefined : `turn_${id}`
}

/** All keys of a turn's messages are at least the first of these, and less than the second. */
export const replyKeys = (turn: TurnId): [from: string, to: string] => [`${beginning(turn)}_`, `${beginning(turn)}\``]

const beginning = (turn: TurnId): MessageId => `msg_${turn.slice('turn_'.length)}`
