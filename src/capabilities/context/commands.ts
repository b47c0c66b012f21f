import { Failure } from '../../kit/failure.ts'
import type { Json } from '../../kit/json.ts'
import type { Session } from '../../store/sessions.ts'
import type { Services } from '../../turn/capability.ts'
import type { Command } from '../../turn/command.ts'
import { type Breakdown, breakdown, picture } from './breakdown.ts'
import type { Wish } from './compact.ts'
import { levelOf } from './levels.ts'
import { type Measured, measure } from './measure.ts'
import type { ContextSettings } from './settings.ts'
import { startCompacting } from './start.ts'
import { contextWords } from './words.ts'

const wishes = /^(?:auto|compact|summarize)$/i

export const contextCommands = (bot: Services, settings: ContextSettings): Command[] => [
  {
    name: 'context',
    summary: 'how much of this thread the model is sent, in tokens',
    about: 'thread',
    run: async ({ session }) => described(await measure(session, bot, settings)),
  },
  {
    name: 'compact',
    summary: 'summarises older messages for the model; the history stays',
    argument: { name: 'how', pattern: wishes },
    about: 'thread',
    async run({ session, argument }) {
      if (bot.models.get('base')?.model.practice === true)
        throw new Failure('no_model', contextWords.practiceModelCantSummarise(), contextWords.setUpModelFirst())
      const strategy = (argument.toLowerCase() || 'auto') as Wish
      return {
        async act(tx) {
          await startCompacting(tx, { session: session.id, strategy, asked: true, tell: true })
          return contextWords.imSummarisingOlderMessages()
        },
      }
    },
  },
]

/** `3,045 of 123,904 tokens (2 %)`: what would be sent now, and the most that a request may have. */
function totalWords({ total, budget }: Breakdown): string {
  const share = Math.round((total / Math.max(1, budget)) * 100)
  return `${total.toLocaleString('en')} of ${budget.toLocaleString('en')} tokens (${share} %)`
}

/** Its line in `status`. */
export const standing = (bot: Services, settings: ContextSettings) => async (session: Session) => {
  const total = totalWords(breakdown(await measure(session, bot, settings)))
  return [`Context: about ${total}; \`context\` shows what it’s made of`]
}

function described(measured: Measured): string {
  const parts = breakdown(measured)
  const { from, prunedTo, summary } = measured.view
  const notes = [
    from > 0 && `Messages before number ${from} are ${summary === undefined ? 'left out' : 'sent as a summary'}.`,
    prunedTo > from && contextWords.longResultsBeforeNumber({ prunedTo }),
  ].filter((note) => note !== false)
  return [`**Context** of ${measured.model}: about ${totalWords(parts)}`, '```', picture(parts), '```', ...notes].join(
    '\n',
  )
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
