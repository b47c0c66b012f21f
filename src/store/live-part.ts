import type { SessionId, TextId, TurnId } from '../domain/ids.ts'

/** A part of a text that streams in another process: `more` comes after the first `from` characters. */
export interface LivePart {
  session: SessionId
  /** Undefined: it is over. */
  text?: { id: TextId; turn: TurnId; from: number; more: string }
}
