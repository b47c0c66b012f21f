import type { TurnId } from '../../domain/ids.ts'
import { messageKey, messageOfPage, turnOfReply } from '../../domain/keys.ts'
import { findByDedupKey, insertInbox } from '../../store/inbox.ts'
import { keyOfMessage } from '../../store/postings.ts'
import { isForgotten, lastEvent, type Session } from '../../store/sessions.ts'
import type { Db } from '../../store/store.ts'
import { lastTurn } from '../../store/turns.ts'
import { turnsBehind } from '../../store/turns-behind.ts'
import type { Command } from '../../turn/port/command.ts'
import { dropUnanswered } from '../../turn/state/note-unanswered.ts'
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
      const payload = { person, again: turn.state === 'done', turn: turn.id }
      await insertInbox(tx, session.id, { dedupKey, kind: 'resume', payload, eventId })
      await dropUnanswered(tx, turn)
      return inboundWords.tryingAgain()
    },
  }),
}

/** Whether a message was said in, or to, another turn than this one and those that it answers anew. */
async function isOfAnother(db: Db, session: Session, turn: TurnId, message: string): Promise<boolean> {
  const page = await keyOfMessage(db, session.id, message)
  const its =
    page === undefined
      ? (await findByDedupKey(db, messageKey(session.thread, message)))?.turn
      : turnOfReply(messageOfPage(page))
  return its != null && !(await turnsBehind(db, { session: session.id, turn })).includes(its)
}
