import type { Outgoing, WorkspaceFile } from '../domain/chat.ts'
import type { RequestId, SessionId, TurnId } from '../domain/ids.ts'
import type { Session } from './session-rows.ts'

/** What the bot has to show, by kind. */
export interface OutboxPayload {
  /**
   * Something said. `segment`: which of the turn's messages it ends. `said`: the number of the message that stores its
   * text.
   */
  answer: Outgoing & { segment?: number; said?: number }
  /** `again`: how often it was posted before. */
  card: { request: RequestId; again?: number }
  /** A request's card should show the outcome. */
  outcome: { request: RequestId }
  /** Ends a live message without an answer; `nothing` removes it. */
  record: { segment: number; nothing?: boolean }
  /** Files that couldn't be posted with their answer. They come later, and nothing waits for them. */
  files: { files: WorkspaceFile[] }
}

export type OutboxKind = keyof OutboxPayload

/** Something the bot shows in a thread. `key` identifies it here and on the platform. */
export type OutboxEntry = {
  [Kind in OutboxKind]: {
    key: string
    session: SessionId
    turn: TurnId | undefined
    kind: Kind
    payload: OutboxPayload[Kind]
    attempts: number
    createdAt: number
    /** Since when the platform has refused it. */
    refusedAt: number | undefined
  }
}[OutboxKind]

/** What was added to a session's outbox. */
export interface OutboxAddition {
  /** Undefined: it may be several sessions. */
  session: SessionId | undefined
  /** This process has the first attempt, and nothing comes before the entry in its thread. */
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
  /** The entry's session. */
  home: Session
  /** The entry's turn, if a person's message woke it. */
  begun: TurnBegun | undefined
}
