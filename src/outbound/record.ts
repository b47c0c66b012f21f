import type { TurnId } from '../domain/ids.ts'
import type { TurnView } from '../domain/turn-view.ts'
import { eventsOfTurn } from '../store/events.ts'
import { alarmOf, eventOf } from '../store/inbox.ts'
import type { Db } from '../store/store.ts'
import { findTurn, type Turn } from '../store/turns.ts'
import { TurnFold } from './fold-turn.ts'

/** A fold of a turn that has read nothing yet. */
export async function foldOf(db: Db, turn: Turn): Promise<TurnFold> {
  const fold = new TurnFold(turn.id, turn.startedAt)
  const alarm = await alarmOf(db, turn.session, turn.inboxSeq)
  if (alarm !== undefined) fold.current.alarm = alarm
  return fold
}

/** What one of the turn's messages has come to show. Its streamed pieces are left out: whole texts say the same. */
export async function recordOf(db: Db, id: TurnId, segment: number): Promise<TurnView | undefined> {
  const turn = await findTurn(db, id)
  if (turn === undefined) return undefined
  const fold = await foldOf(db, turn)
  const from = await eventOf(db, turn.session, turn.inboxSeq)
  for await (const event of eventsOfTurn(db, turn.session, id, from)) fold.add(event)
  return fold.segments[segment]
}

/** Without the text that is the answer itself. */
export function withoutAnswer(record: TurnView, answer: string): TurnView {
  const last = record.parts.at(-1)
  if (last?.kind !== 'text' || last.text.trim() !== answer.trim()) return record
  return { ...record, parts: record.parts.slice(0, -1) }
}
