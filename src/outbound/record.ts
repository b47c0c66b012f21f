import type { TurnId } from '../domain/ids.ts'
import type { TurnView } from '../domain/turn-view.ts'
import { eventsOfTurn } from '../store/events.ts'
import { openingOf } from '../store/inbox.ts'
import type { Db } from '../store/store.ts'
import { findTurn, type StoredTurn } from '../store/turns.ts'
import { TurnFold } from './fold-turn.ts'

/** A fold of a turn that has read nothing yet, and the event number to read from. */
export async function foldOf(db: Db, turn: StoredTurn): Promise<{ fold: TurnFold; from: number }> {
  const fold = new TurnFold(turn.id, turn.startedAt)
  const { event, eventId } = await openingOf(db, turn)
  if (event.kind === 'alarm') fold.current.alarm = event.payload.message
  return { fold, from: eventId }
}

/** What one of the turn's messages shows in the end. Streamed pieces are skipped, since the whole texts say the same. */
export async function recordOf(db: Db, id: TurnId, segment: number): Promise<TurnView | undefined> {
  const turn = await findTurn(db, id)
  if (turn === undefined) return undefined
  const { fold, from } = await foldOf(db, turn)
  for await (const event of eventsOfTurn(db, turn.session, id, from)) fold.add(event)
  return fold.segments[segment]
}

/** The record without the text of the answer itself. */
export function withoutAnswer(record: TurnView, answer: string): TurnView {
  const last = record.parts.at(-1)
  if (last?.kind !== 'text' || last.text.trim() !== answer.trim()) return record
  return { ...record, parts: record.parts.slice(0, -1) }
}
