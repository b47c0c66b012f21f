import type { TurnId } from '../../domain/ids.ts'
import { findByDedupKey, insertInbox } from '../../store/inbox.ts'
import { isForgotten, lastEvent, type Session } from '../../store/sessions.ts'
import type { Db } from '../../store/store.ts'
import { lastTurn } from '../../store/turns.ts'
import { turnsBehind } from '../../store/turns-behind.ts'
import type { Command } from '../../turn/port/command.ts'
import { dropUnanswered } from '../../turn/state/note-unanswered.ts'
import { turnOfMessage } from '../turn-of-message.ts'
import { inboundWords } from '../words.ts'

export const retry: Command = {
  name: 'retry',
  summary: inboundWords.retrySummary(),
  about: 'thread',
  run: async ({ session, person, message }) => ({
    async act(tx) {
      const turn = await lastTurn(tx.db, session.id)
      if (turn === undefined || (await isForgotten(tx, session.id))) return inboundWords.noTurnToRetry()
      if (turn.state === 'running') return inboundWords.stillRunning()
      if (turn.state === 'waiting') return inboundWords.stillWaiting()
      if (message !== undefined && (await isOfAnother(tx.db, session, turn.id, message)))
        return inboundWords.onlyLastRetried()
      // A second `retry` would answer the same message again.
      const dedupKey = `retry:${turn.id}`
      if ((await findByDedupKey(tx.db, dedupKey)) !== undefined) return inboundWords.imAlready()
      const eventId = (await lastEvent(tx, session.id)) + 1
      const payload = { person, turn: turn.id, ...(turn.state === 'done' && { again: true }) }
      await insertInbox(tx, session.id, { dedupKey, kind: 'resume', payload, eventId })
      await dropUnanswered(tx, turn)
      return inboundWords.tryingAgain()
    },
  }),
}

/** Whether a message belongs to another turn than this one and those that it answers anew. */
async function isOfAnother(db: Db, session: Session, turn: TurnId, message: string): Promise<boolean> {
  const its = await turnOfMessage(db, session, message)
  // An answer that has just been shown may not be stored as posted yet.
  return its !== undefined && !(await turnsBehind(db, { session: session.id, turn })).includes(its)
}
