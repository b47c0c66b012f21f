import { Failure } from '../../kit/failure.ts'
import type { Json } from '../../kit/json.ts'
import type { Session } from '../../store/sessions.ts'
import { type Command, oneOf } from '../../turn/port/command.ts'
import type { Services } from '../../turn/port/scope.ts'
import { type Breakdown, breakdown, picture } from './breakdown.ts'
import type { Wish } from './compact.ts'
import { levelOf } from './levels.ts'
import { type Measured, measure } from './measure.ts'
import type { ContextSettings } from './settings.ts'
import { refuseUnsent, startCompacting } from './start.ts'
import { contextWords } from './words.ts'

export const contextCommands = (bot: Services, settings: ContextSettings): Command[] => [
  {
    name: 'context',
    summary: contextWords.contextSummary(),
    about: 'thread',
    run: async ({ session }) => described(await measure(session, bot, settings)),
  },
  {
    name: 'compact',
    summary: contextWords.compactSummary(),
    argument: { ...oneOf('auto', 'compact', 'summarize'), name: 'how' },
    about: 'thread',
    async run({ session, argument }) {
      refuseUnsent(settings)
      if (bot.models.get('base')?.model.practice === true)
        throw new Failure('no_model', contextWords.cannotSummarise(), contextWords.cannotSummariseRemedy())
      const strategy = (argument.toLowerCase() || 'auto') as Wish
      return {
        async act(tx) {
          await startCompacting(tx, { session: session.id, strategy, asked: true, tell: true })
          return contextWords.compactionBegun()
        },
      }
    },
  },
]

/** What would be sent now, and the most that a request may have. */
const totals = ({ total, budget }: Breakdown) => ({
  total,
  budget,
  share: Math.round((total / Math.max(1, budget)) * 100),
})

/** Its line in `status`. */
export const standing = (bot: Services, settings: ContextSettings) => async (session: Session) => {
  return [contextWords.standing(totals(breakdown(await measure(session, bot, settings))))]
}

function described(measured: Measured): string {
  const parts = breakdown(measured)
  const { from, prunedTo, summary } = measured.view
  const notes = [
    from > 0 && contextWords.messagesBefore({ from, how: summary === undefined ? 'none' : 'summary' }),
    prunedTo > from && contextWords.resultsPruned({ prunedTo }),
  ].filter((note) => note !== false)
  const head = contextWords.contextOf({ model: measured.model, ...totals(parts) })
  return [head, '```', picture(parts), '```', ...notes].join('\n')
}

export async function contextFacts(session: Session, bot: Services, settings: ContextSettings): Promise<Json> {
  const measured = await measure(session, bot, settings)
  const { total, budget, ...parts } = breakdown(measured)
  const { view, state, sent, model, contextLimit } = measured
  return {
    model,
    context_limit: contextLimit,
    budget,
    total,
    level: levelOf(total, budget, settings),
    parts,
    picture: picture({ ...parts, total, budget }),
    messages: sent.length,
    from_message: view.from,
    pruned_to: view.prunedTo,
    summary: view.summary ?? null,
    compressions: state.reports.map(({ strategy, before, after }) => ({
      strategy,
      before: { ...before },
      after: { ...after },
    })),
  }
}
