import { dollarWords } from '../../kit/model/cost.ts'
import type { Session } from '../../store/sessions.ts'
import { lastTurn } from '../../store/turns.ts'
import { type UsageFilter, type UsageLine, usageBy } from '../../store/usage-sums.ts'
import type { Services } from '../../turn/capability.ts'
import { type Command, modelOf } from '../../turn/command.ts'

export const cost: Command = {
  name: 'cost',
  summary: 'what this thread and this channel have cost',
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
    const unknown = `The price of ${model.name} isn’t known, so what it costs isn’t counted. Whoever runs the bot can set it in config/models.yaml.`
    // Zeros would suggest that it cost nothing.
    if (price === undefined && thread.length + month.length === 0) return unknown
    const lines = [
      `- Last turn: ${summed(ofTurn)}`,
      `- This thread: ${summed(thread)}`,
      ...(thread.length > 1 ? thread.map((line) => `  - ${line.key[0]} (${line.key[1]}): ${summed([line])}`) : []),
      `- This channel today: ${summed(day)}`,
      `- This channel this month: ${summed(month)}`,
    ]
    return ['**Cost**', ...lines, ...(price === undefined ? [unknown] : [])].join('\n')
  },
}

/** The line of `status`: what was recorded, at the prices of that time. */
export const standing =
  ({ store }: Services) =>
  async ({ id }: Session): Promise<string[]> => {
    const lines = await usageBy(store.db, 'model', { session: id })
    return lines.length === 0 ? [] : [`Cost: ${dollarWords(lines.reduce((sum, { nanos }) => sum + nanos, 0))}`]
  }

function summed(lines: UsageLine[]): string {
  const sum = (of: (line: UsageLine) => number) => lines.reduce((total, line) => total + of(line), 0)
  const tokens = (count: number) => count.toLocaleString('en')
  const cached = sum((line) => line.cached)
  const from = cached === 0 ? '' : ` (${tokens(cached)} from the cache)`
  const input = `${tokens(sum((line) => line.input))} tokens in${from}`
  return `${dollarWords(sum((line) => line.nanos))}, ${input}, ${tokens(sum((line) => line.output))} out`
}
