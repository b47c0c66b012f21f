import type { SessionId } from '../../domain/ids.ts'
import { openingOf } from '../../store/inbox.ts'
import { openingSaidAt } from '../../store/inbox-event.ts'
import type { Tx } from '../../store/store.ts'
import { openTurn, type StoredTurn } from '../../store/turns.ts'
import type { Command } from '../../turn/port/command.ts'
import { nextOpening } from '../../turn/state/next-turn.ts'
import { stopTurn } from '../../turn/state/stop.ts'
import { inboundWords } from '../words.ts'

/** No stop is delivered later than this except after an outage, and no two clocks are further apart, ms. */
const surelyLateMs = 10 * 60_000

export const stop: Command = {
  name: 'stop',
  summary: inboundWords.stopSummary(),
  about: 'thread',
  run: async ({ session, person, turn, at, deps }) => ({
    async act(tx) {
      await tx.hold(session.id)
      const open = await openTurn(tx.db, session.id)
      if (turn !== undefined && open?.id !== turn) return inboundWords.alreadyOver()
      if (at !== undefined && (await isLater(tx, session.id, open, at))) return inboundWords.alreadyOver()
      if (!(await stopTurn(tx, session.id, person, deps.liveTexts, { at }))) return inboundWords.nothingToStop()
      tx.wakes(session.id, { interrupts: true })
      return inboundWords.stopped()
    },
  }),
}

/** Whether what the turn is about, or the next one, was only said after this: whoever stopped can't have meant it. */
async function isLater(tx: Tx, session: SessionId, open: StoredTurn | undefined, at: number): Promise<boolean> {
  const opening = open === undefined ? await nextOpening(tx, session) : await openingOf(tx.db, open)
  return opening !== undefined && (openingSaidAt(opening) ?? opening.at - surelyLateMs) > at
}
