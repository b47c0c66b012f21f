import type { Json } from '../../kit/json.ts'
import { dropReady } from '../../store/contexts.ts'
import type { Capability } from '../../turn/port/capability.ts'
import type { Services, TurnScope } from '../../turn/port/scope.ts'
import { contextCommands, contextFacts, standing } from './commands.ts'
import { compactKind, toldText, type Wish } from './compact.ts'
import { compactContext } from './compact-context.ts'
import { historyOf } from './earlier.ts'
import { historyFor } from './history.ts'
import { promptFacts } from './prompt-facts.ts'
import { readHistory } from './read-history.ts'
import { forgetRewritten } from './rewind.ts'
import { type ContextSettings, contextSection } from './settings.ts'
import { refuseUnsent, startCompacting, untilReady } from './start.ts'
import { readState } from './state.ts'
import { summarize } from './summarize.ts'
import { type SummarizeOrder, summarizeKind } from './summarize-job.ts'
import { summarizeNow } from './summarize-now.ts'
import { contextWords } from './words.ts'

/** Long threads: measures them, keeps them within what a model can read, and finds what was said earlier. */
export const context: Capability<ContextSettings> = {
  name: 'context',
  settings: contextSection,
  tools: [compactContext, readHistory, summarize],
  history: historyFor,
  rewritten: forgetRewritten,
  views: (bot, settings) => ({
    context: (session) => contextFacts(session, bot, settings),
    prompt: (session) => promptFacts(session, bot),
  }),
  standing,
  commands: contextCommands,
  jobs: (bot, settings) => [compactKind(bot, settings), summarizeKind(bot, settings)],
  context: (turn, call, settings) => ({
    compact: (strategy: Wish, signal: AbortSignal) => compactNow(strategy, signal, turn, settings),
    history: historyOf(turn.bot.store.db, turn.session),
    summarize: (order: SummarizeOrder, signal: AbortSignal) => summarizeNow(order, signal, turn, call, settings),
  }),
}

/** Takes effect at the next step, so that the request stays the same while its calls run. */
async function compactNow(
  strategy: Wish,
  signal: AbortSignal,
  { bot, session, lease }: TurnScope & { bot: Services },
  settings: ContextSettings,
): Promise<string> {
  refuseUnsent(settings)
  const input = { session: session.id, strategy, asked: true, tell: false }
  await bot.store.fenced(lease, async (tx) => {
    // That an earlier attempt failed says nothing about this one.
    const { ready } = await readState(tx.db, session.id, session.historyFrom)
    if (ready?.summary === null) await dropReady(tx, session.id, ready as unknown as Json)
    await startCompacting(tx, input)
  })
  const { ready, job } = await untilReady(bot.store.db, session, { waitMs: settings.waitMs, signal })
  if (job === 'open') return contextWords.stillCompacting()
  if (job === 'failed') return contextWords.noSummary()
  return ready === undefined ? contextWords.nothingToCompact() : toldText(ready)
}
