import { catalogue } from '../../kit/words/catalogue.ts'

/** What people read about planning: answers to commands, complaints, findings. */
export const planningWords = catalogue({
  // titles of calls
  planningFirst: 'Planning first',
  proposing: 'Proposing a plan',

  // commands
  planModeEnded: 'Plan mode is off: from my next answer on, I act again.',
  planModeBegun:
    'Plan mode is on: from my next answer on, I only look and plan, until you agree to a plan or say `plan off`.',

  // what commands do, in the list of `help`
  commandSummary: 'plan mode: I change nothing until somebody agrees',
})
