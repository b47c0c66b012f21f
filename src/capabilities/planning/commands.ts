import type { Command } from '../../turn/command.ts'
import { switchMode } from './mode.ts'

export const planCommand: Command = {
  name: 'plan',
  summary: 'plan mode: I change nothing until somebody agrees',
  argument: { name: 'off', pattern: /^(?:on|off)$/i },
  about: 'thread',
  async run({ session, argument }) {
    const mode = argument.toLowerCase() === 'off' ? 'act' : 'plan'
    return {
      async act(tx) {
        await switchMode(tx, session.id, mode)
        return mode === 'act'
          ? 'Plan mode is off: from my next answer on, I act again.'
          : 'Plan mode is on: from my next answer on, I only look and plan, until you agree to a plan or say `plan off`.'
      },
    }
  },
}
