import { openingOf } from '../../store/inbox.ts'
import { openingSaidAt } from '../../store/inbox-event.ts'
import { openTurn } from '../../store/turns.ts'
import type { Command } from '../../turn/port/command.ts'
import { nextOpening } from '../../turn/state/next-turn.ts'
import { stopTurn } from '../../turn/state/stop.ts'
import { inboundWords } from '../words.ts'

/** No stop is delivered later than this except after an outage, and no two clocks are further apart, ms. */
const surelyLateMs = 10 * 60_000

/** Stops what runs in the thread or is about to, unless that was surely asked after the stop. */
export const stop: Command = {
  name: 'stop',
  summary: inboundWords.stopSummary(),
  about: 'thread',
  run: async ({ session, person, turn, at, deps }) => ({
    async act(tx) {
      await tx.hold(session.id)
      const open = await openTurn(tx.db, session.id)
      if (turn !== undefined && open?.id !== turn) return inboundWords.alreadyOver()
      const opening = open === undefined ? await nextOpening(tx, session.id) : await openingOf(tx.db, open)
      if (at !== undefined && opening !== undefined && (openingSaidAt(opening) ?? opening.at - surelyLateMs) > at)
        return inboundWords.alreadyOver()
      if (!(await stopTurn(tx, session.id, person, deps.liveTexts, { at }))) return inboundWords.nothingToStop()
      tx.wakes(session.id, { interrupts: true })
      return inboundWords.stopped()
    },
  }),
}
