import type { SessionId } from '../../domain/ids.ts'
import { appendEvents } from '../../store/events.ts'
import { rewriteInbox, takeInbox, unreadInbox } from '../../store/inbox.ts'
import { forgetHistory, markEarlierRead } from '../../store/sessions.ts'
import type { Tx } from '../../store/store.ts'
import type { Command } from '../../turn/port/command.ts'
import { stopTurn } from '../../turn/state/stop.ts'
import { inboundWords } from '../words.ts'

export const reset: Command = {
  name: 'reset',
  summary: inboundWords.resetSummary(),
  about: 'thread',
  run: async ({ session, person, deps }) => {
    await deps.workspaces.empty(session, 'temp')
    return {
      interrupts: true,
      async act(tx) {
        await stopTurn(tx, session.id, person, deps.liveTexts)
        await forgetUnread(tx, session.id)
        const from = await forgetHistory(tx, session.id)
        // Messages from before the bot was mentioned are forgotten too.
        await markEarlierRead(tx, session.id)
        await appendEvents(tx, session.id, [{ type: 'reset', data: { person, from } }])
        return inboundWords.historyCleared()
      },
    }
  },
}

/** Unread messages would otherwise be read with the next one. Their files still arrive, and alarms still ring. */
async function forgetUnread(tx: Tx, session: SessionId): Promise<void> {
  const said = (await unreadInbox(tx.db, session)).filter(({ kind }) => kind !== 'alarm')
  for (const event of said) {
    if (event.kind !== 'message' || event.payload.files.length === 0) await takeInbox(tx, session, [event.seq], null)
    else await rewriteInbox(tx, session, event.seq, { ...event.payload, text: '' })
  }
}
