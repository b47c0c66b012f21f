import { stopTurn } from '../../turn/stop.ts'
import type { Command } from './command.ts'

export const stop: Command = {
  name: 'stop',
  summary: 'ends what I am doing in this thread',
  about: 'thread',
  run: async ({ session, person }) => ({
    act: async (tx) => ((await stopTurn(tx, session.id, person)) ? 'Stopped.' : 'Nothing was running here.'),
    interrupts: true,
  }),
}
