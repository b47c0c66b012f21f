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

  // refusals, for the model
  nobodyToAgree: 'Nobody is asked for approval here, so nobody could agree to a plan.',
  onlyPeopleEnd: 'Nobody is asked for approval here, so only `plan off` ends plan mode.',
  answerPlan: 'Answer with the plan, and say this.',
  goOn: 'Just go on.',

  // what commands do, in the list of `help`
  commandSummary: 'plan mode: I change nothing until somebody agrees',
})
