import { catalogue } from '../../kit/words/catalogue.ts'

/** What people read about compositions: titles of calls, and what `bobbin compositions` says. */
export const compositionsWords = catalogue({
  // tools
  starting: 'Starting {name}',

  // terminal
  none: 'There are none. See config/compositions.yaml.',
  usage: 'Usage: compositions | compositions improve <name> [--yes | --undo]',
  noComposition: 'There is no composition called {name}.',
  tally: '{done} done, {failed} failed',
  chain: '{name}: {tally}',
  call: '{step}: {tool} – {tally}',
  otherwise: '{step}: otherwise {tool} – {tally}',
  worksBetter: '{otherwise} works more often than {tool}: see `compositions improve {name}`.',
  swapped: 'This order was chosen with `improve`, and isn’t that of the file.',
  nothingBetter: 'The counts of {name} suggest no other order.',
  now: 'Now:',
  improved: 'Improved:',
  takeIt: 'Nothing was changed. To use the improved order, add --yes.',
  taken: 'The improved order is in use from the next call of {name} on. To go back, use --undo.',
  undone: '{name} is as config/compositions.yaml says again, from its next call on.',
  inTheFile: '{name} is as config/compositions.yaml says.',

  // complaints about compositions.yaml
  nameForm: 'Use up to 40 lower-case letters, digits and _',
  notInAnother: 'a step can’t be a composition',
})
