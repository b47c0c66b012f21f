import { findByDedupKey, insertInbox } from '../../store/inbox.ts'
import { isForgotten, lastEvent } from '../../store/sessions.ts'
import { lastTurn } from '../../store/turns.ts'
import type { Command } from '../../turn/port/command.ts'
import { dropUnanswered } from '../../turn/state/note-unanswered.ts'
import { inboundWords } from '../words.ts'

export const retry: Command = {
  name: 'retry',
  summary: inboundWords.retrySummary(),
  about: 'thread',
  run: async ({ session, person }) => ({
    async act(tx) {
      const turn = await lastTurn(tx.db, session.id)
      if (turn === undefined || (await isForgotten(tx, session.id))) return inboundWords.noTurnToRetry()
      if (turn.state === 'running') return inboundWords.stillRunning()
      if (turn.state === 'waiting') return inboundWords.stillWaiting()
      // A second `retry` would answer the same message again.
      const dedupKey = `retry:${turn.id}`
      if ((await findByDedupKey(tx.db, dedupKey)) !== undefined) return inboundWords.imAlready()
      const eventId = (await lastEvent(tx, session.id)) + 1
      const payload = { person, again: turn.state === 'done', turn: turn.id }
      await insertInbox(tx, session.id, { dedupKey, kind: 'resume', payload, eventId })
      await dropUnanswered(tx, turn)
      return inboundWords.tryingAgain()
    },
  }),
}
