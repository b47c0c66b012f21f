import type { Command } from '../../turn/port/command.ts'
import { stopTurn } from '../../turn/state/stop.ts'
import { inboundWords } from '../words.ts'

export const stop: Command = {
  name: 'stop',
  summary: inboundWords.stopSummary(),
  about: 'thread',
  run: async ({ session, person, deps }) => ({
    act: async (tx) =>
      (await stopTurn(tx, session.id, person, deps.liveTexts)) ? inboundWords.stopped() : inboundWords.nothingToStop(),
    interrupts: true,
  }),
}
