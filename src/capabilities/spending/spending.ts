import { unpricedModels } from '../../config/unpriced.ts'
import { fine, mind } from '../../domain/finding.ts'
import { giveUp, release } from '../../store/usage.ts'
import type { Capability } from '../../turn/port/capability.ts'
import { permitCall } from './budget.ts'
import { cost, standing } from './cost.ts'
import { spendingWords } from './words.ts'

/** What models cost, and budgets. */
export const spending: Capability = {
  name: 'spending',
  title: 'Budgets',
  commands: () => [cost],
  standing,
  beforeModel: permitCall,
  async modelFailed(reserve, cost, { bot, session }) {
    await bot.store.patiently(session.id, (tx) => (cost === 'nothing' ? release(tx, reserve) : giveUp(tx, reserve)))
  },
  async *checks({ budgets, model }) {
    const unpriced = unpricedModels(model)
    if (budgets.limits.length === 0) yield fine(spendingWords.noBudgets())
    else if (unpriced.length === 0) yield fine(spendingWords.budgets({ count: budgets.limits.length }))
    for (const id of budgets.limits.length === 0 ? [] : unpriced) {
      yield mind(spendingWords.unknownPrice({ model: id }), spendingWords.unknownPriceRemedy())
    }
  },
}
