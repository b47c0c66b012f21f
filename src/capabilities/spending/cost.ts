import { dollarWords } from '../../kit/model/cost.ts'
import type { Session } from '../../store/sessions.ts'
import { lastTurn } from '../../store/turns.ts'
import { type UsageFilter, type UsageLine, usageBy } from '../../store/usage-sums.ts'
import { type Command, modelOf } from '../../turn/port/command.ts'
import type { Services } from '../../turn/port/scope.ts'
import { spendingWords } from './words.ts'

export const cost: Command = {
  name: 'cost',
  summary: spendingWords.commandSummary(),
  about: 'thread',
  async run({ session, deps }) {
    const { db } = deps.store
    const { platform, tenant, project } = session.thread
    const today = new Date(deps.clock.now()).toISOString().slice(0, 10)
    const turn = await lastTurn(db, session.id)
    const by = (filter: UsageFilter) => usageBy(db, 'model', filter)
    const [ofTurn, thread, day, month] = await Promise.all([
      turn === undefined ? [] : by({ session: session.id, turn: turn.id }),
      by({ session: session.id }),
      by({ platform, tenant, project, since: today }),
      by({ platform, tenant, project, since: `${today.slice(0, 8)}01` }),
    ])
    const { model, price } = modelOf(session, deps)
    const unknown = model.practice ? spendingWords.practiceIsFree() : spendingWords.notCounted({ model: model.name })
    // Zeros would suggest that it cost nothing.
    if (price === undefined && thread.length + month.length === 0) return unknown
    const lines = [
      `- ${spendingWords.lastTurn({ sum: summed(ofTurn) })}`,
      `- ${spendingWords.thisThread({ sum: summed(thread) })}`,
      ...(thread.length > 1 ? thread.map((line) => `  - ${line.key[0]} (${line.key[1]}): ${summed([line])}`) : []),
      `- ${spendingWords.channelToday({ sum: summed(day) })}`,
      `- ${spendingWords.channelMonth({ sum: summed(month) })}`,
    ]
    return [`**${spendingWords.cost()}**`, ...lines, ...(price === undefined ? [unknown] : [])].join('\n')
  },
}

/** The line of `status`: what was recorded, at the prices of that time. */
export const standing =
  ({ store }: Services) =>
  async ({ id }: Session): Promise<string[]> => {
    const lines = await usageBy(store.db, 'model', { session: id })
    return lines.length === 0
      ? []
      : [spendingWords.costOf({ sum: dollarWords(lines.reduce((sum, { nanos }) => sum + nanos, 0)) })]
  }

function summed(lines: UsageLine[]): string {
  const sum = (of: (line: UsageLine) => number) => lines.reduce((total, line) => total + of(line), 0)
  const cached = sum((line) => line.cached)
  const usd = dollarWords(sum((line) => line.nanos))
  const [input, output] = [sum((line) => line.input), sum((line) => line.output)]
  return cached === 0
    ? spendingWords.sum({ usd, input, output })
    : spendingWords.sumWithCache({ usd, input, cached, output })
}
