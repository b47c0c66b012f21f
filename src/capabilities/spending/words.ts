import { catalogue } from '../../kit/words/catalogue.ts'

/** What people read about spending: answers to commands, complaints, findings. */
export const spendingWords = catalogue({
  // budget
  budgetSpent: 'The budget of {limit} is used up.',

  // checks
  noBudgets: 'There are none. See config/budgets.yaml.',
  budgets: 'There {count, plural, one {is one} other {are #}}.',
  unknownPrice: 'The price of {model} is unknown, so its calls count for no budget.',
  unknownPriceRemedy:
    'Set MODEL_BASE_PRICE_INPUT and _OUTPUT (or those of its slot), or its price in config/models.yaml.',

  // cost
  notCounted:
    'The price of {model} isn’t known, so what it costs isn’t counted. Whoever runs the bot can set it in config/models.yaml.',
  practiceIsFree: 'The practice model costs nothing.',
  cost: 'Cost',
  costOf: 'Cost: {sum}',
  lastTurn: 'Last turn: {sum}',
  thisThread: 'This thread: {sum}',
  channelToday: 'This channel today: {sum}',
  channelMonth: 'This channel this month: {sum}',
  sum: '{usd}, {input, number} tokens in, {output, number} out',
  sumWithCache: '{usd}, {input, number} tokens in ({cached, number} from the cache), {output, number} out',

  // limits
  raiseRemedy: 'Whoever runs the bot can raise it in config/budgets.yaml and restart Bobbin.',
  threadBudgetRemedy: 'Go on in a new thread. {raise}',
  renewedDaily: 'It starts again at midnight UTC.',
  renewedMonthly: 'It starts again next month.',
  askAtSoftLimit: 'At least {share} % of the budget of {limit} is used. Should I go on?',
  stoppedAsAsked: 'I stopped here, as you said, before the budget of {limit} was used up. {remedy}',
  stoppedByBudget: 'I stopped here because the budget of {limit} is used up.{again} {remedy}',

  // what commands do, in the list of `help`
  commandSummary: 'what this thread and this channel have cost',
})
