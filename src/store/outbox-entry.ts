import type { Outgoing, WorkspaceFile } from '../domain/chat.ts'
import type { RequestId, SessionId, TurnId } from '../domain/ids.ts'
import type { Session } from './session-rows.ts'

/** What the bot has to show, by kind. */
export interface OutboxPayload {
  /** Something said. `segment`: which of the turn's messages it ends. */
  answer: Outgoing & { segment?: number }
  card: { request: RequestId }
  /** The card of a request is to show what became of it. */
  outcome: { request: RequestId }
  /** A message of progress that no answer ends; `nothing`: it is to vanish. */
  record: { segment: number; nothing?: boolean }
  /** What an answer was to carry and could not: it comes later, and nothing waits for it. */
  files: { files: WorkspaceFile[] }
}

export type OutboxKind = keyof OutboxPayload

/** Something that the bot shows in a thread. `key` is how it is known here and on the platform. */
export type OutboxEntry = {
  [Kind in OutboxKind]: {
    key: string
    session: SessionId
    turn: TurnId | undefined
    kind: Kind
    payload: OutboxPayload[Kind]
    attempts: number
    /** Since when the platform refuses it. */
    refusedAt: number | undefined
  }
}[OutboxKind]

/** What was put into the outbox of a session. */
export interface Posted {
  /** Undefined: of some. */
  session: SessionId | undefined
  /** This process has the right to the first attempt, and nothing comes before it in its thread. */
  claimed?: Claimed
}

/** When a turn began, and the number of an event before which it has none. */
export interface TurnBegun {
  at: number
  event: number
}

export interface Claimed {
  entry: OutboxEntry
  /** Nobody has begun to post it before. */
  isNew: boolean
  /** The session of the entry. */
  home: Session
  /** Of its turn, where a person's words woke it. */
  begun: TurnBegun | undefined
}
