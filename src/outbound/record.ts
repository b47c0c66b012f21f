import type { SessionId, TurnId } from '../domain/ids.ts'
import type { TurnView } from '../domain/turn-view.ts'
import { eventsOfTurn } from '../store/events.ts'
import { openingOf } from '../store/inbox.ts'
import type { TurnBegun } from '../store/outbox-entry.ts'
import type { Db } from '../store/store.ts'
import { findTurn, type StoredTurn } from '../store/turns.ts'
import { TurnFold } from './fold-turn.ts'

/** A fold of a turn that has read nothing yet, and the event number to read from. */
export async function foldOf(db: Db, turn: StoredTurn): Promise<{ fold: TurnFold; from: number }> {
  const fold = new TurnFold(turn.id, turn.startedAt)
  const opening = await openingOf(db, turn)
  if (opening.kind === 'alarm') fold.current.alarm = opening.payload.message
  return { fold, from: opening.eventId }
}

/**
 * What one of the turn's messages shows in the end. Streamed pieces are skipped, since the whole texts say the same.
 * `begun`: if known, the turn is not looked up.
 */
export async function recordOf(
  db: Db,
  { session, turn: id }: { session: SessionId; turn: TurnId },
  segment: number,
  begun?: TurnBegun,
): Promise<TurnView | undefined> {
  const found = begun === undefined ? await foundFold(db, id) : { fold: new TurnFold(id, begun.at), from: begun.event }
  if (found === undefined) return undefined
  const { fold, from } = found
  for await (const event of eventsOfTurn(db, session, id, from)) fold.add(event)
  return fold.segments[segment]
}

async function foundFold(db: Db, id: TurnId) {
  const turn = await findTurn(db, id)
  return turn && foldOf(db, turn)
}

/** The record without the text of the answer itself. */
export function withoutAnswer(record: TurnView, answer: string): TurnView {
  const last = record.parts.at(-1)
  if (last?.kind !== 'text' || last.text.trim() !== answer.trim()) return record
  return { ...record, parts: record.parts.slice(0, -1) }
}
