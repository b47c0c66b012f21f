import { type Command, oneOf } from '../../turn/port/command.ts'
import { switchMode } from './mode.ts'
import { planningWords } from './words.ts'

export const planCommand: Command = {
  name: 'plan',
  summary: planningWords.commandSummary(),
  argument: oneOf('off', 'on'),
  about: 'thread',
  async run({ session, argument }) {
    const mode = argument.toLowerCase() === 'off' ? 'act' : 'plan'
    return {
      async act(tx) {
        await switchMode(tx, session.id, mode)
        return mode === 'act' ? planningWords.planModeEnded() : planningWords.planModeBegun()
      },
    }
  },
}
