import { catalogue } from '../../kit/words/catalogue.ts'

/** What people read about spending: answers to commands, complaints, findings. */
export const spendingWords = catalogue({
  // budget
  budgetUsedUp: 'The budget of {limit} is used up.',

  // limits
  whoeverRunsBotCan: 'Whoever runs the bot can raise it in config/budgets.yaml.',
  goNewThread: 'Go on in a new thread. {raise}',
  startsAgainMidnightUtc: 'It starts again at midnight UTC.',
  startsAgainNextMonth: 'It starts again next month.',
  iStoppedHereAs: 'I stopped here, as you said: the budget of {limit} is nearly used up. {remedy}',
  iStoppedHereBecause: 'I stopped here because the budget of {limit} is used up.{again} {remedy}',
})
