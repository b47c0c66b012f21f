import { appendEvents } from '../../store/events.ts'
import { forgetHistory } from '../../store/sessions.ts'
import { stopTurn } from '../stop.ts'
import type { Command } from './command.ts'

export const reset: Command = {
  name: 'reset',
  summary: 'I forget what was said in this thread; its files stay, but for temp/',
  about: 'thread',
  run: async ({ session, person, deps }) => {
    await deps.workspaces.empty(session, 'temp')
    return {
      interrupts: true,
      async act(tx) {
        await stopTurn(tx, session.id, person)
        await forgetHistory(tx, session.id)
        await appendEvents(tx, session.id, [{ type: 'reset', data: { person } }])
        return 'I have forgotten what was said here. The files are still there.'
      },
    }
  },
}
