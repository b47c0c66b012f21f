import { openTurn } from '../../store/turns.ts'
import type { Command } from '../../turn/port/command.ts'
import { stopTurn } from '../../turn/state/stop.ts'
import { inboundWords } from '../words.ts'

export const stop: Command = {
  name: 'stop',
  summary: inboundWords.stopSummary(),
  about: 'thread',
  run: async ({ session, person, turn, deps }) => ({
    async act(tx) {
      await tx.hold(session.id)
      if (turn !== undefined && (await openTurn(tx.db, session.id))?.id !== turn) return inboundWords.alreadyOver()
      if (!(await stopTurn(tx, session.id, person, deps.liveTexts))) return inboundWords.nothingToStop()
      tx.wakes(session.id, { interrupts: true })
      return inboundWords.stopped()
    },
  }),
}
