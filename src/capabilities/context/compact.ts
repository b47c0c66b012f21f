import { newId, type SessionId } from '../../domain/ids.ts'
import type { JobKind } from '../../jobs/kind.ts'
import type { Json } from '../../kit/json.ts'
import { CutShort, ModelFailure } from '../../kit/model/model.ts'
import { tokensIn } from '../../kit/model/tokens.ts'
import { writeReady } from '../../store/contexts.ts'
import { insertOutbox } from '../../store/outbox.ts'
import { findSession } from '../../store/sessions.ts'
import { baseOf } from '../../turn/port/command.ts'
import { isSummary } from '../../turn/port/history.ts'
import type { Services } from '../../turn/port/scope.ts'
import { budgetOf } from './levels.ts'
import { type Measured, measure } from './measure.ts'
import { chosenStrategy, reportText, summaryOrder } from './order.ts'
import { isUnchanged } from './rewind.ts'
import { measureOf, recentView } from './room.ts'
import type { ContextSettings } from './settings.ts'
import type { Ready, Strategy } from './state.ts'
import { cutMiddle } from './transcript.ts'
import { viewOf } from './view.ts'
import { contextWords } from './words.ts'

export const compacting = 'compact'

export type Wish = Exclude<Strategy, 'cut'> | 'auto'

export interface CompactInput {
  session: SessionId
  strategy: Wish
  /** Somebody wants it now, whether or not there is room, so only the latest few messages stay. */
  asked: boolean
  /** Somebody asked for it in the thread, so the outcome is posted there. */
  tell: boolean
}

/** Makes a summary in the background. It takes effect at the next step of a turn. */
export const compactKind = (bot: Services, settings: ContextSettings): JobKind<CompactInput> => ({
  name: compacting,
  atOnce: 4,
  attempts: 2,
  async run({ input, checkpoint, save, signal }) {
    // A job may be from before the window was measured in messages, where no summary is sent.
    if (checkpoint === made || settings.window === 'messages') return
    const { session: id, tell } = input
    const session = await findSession(bot.store.db, id)
    if (session === undefined || session.isDeleted) return
    const measured = await measure(session, bot, settings)
    const ready = await readyOf(measured, input, signal, bot, settings)
    try {
      await save(made, async (tx) => {
        if (ready !== undefined) {
          // It's plain JSON. Whoever edits a message writes the same row, so one of the two waits for the other.
          await writeReady(tx, id, ready as unknown as Json)
          if (!(await isUnchanged(tx, session, measured, ready.from - 1))) throw new Stale()
        }
        if (!tell) return
        const text = ready === undefined ? contextWords.nothingToCompact() : toldText(ready)
        const payload = { text, files: [] }
        await insertOutbox(tx, { key: newId('msg', tx.now), session: id, turn: undefined, kind: 'answer', payload })
      })
    } catch (thrown) {
      if (!(thrown instanceof Stale)) throw thrown
      await save('stale', (tx) => writeReady(tx, id, null))
      return { again: bot.clock.now() }
    }
  },
})

/** The checkpoint of a job that has stored its summary, and has told it where it should. */
const made = 'made'

/** Somebody edited or deleted a message that the summary was made from, so nothing of it is stored. */
class Stale extends Error {}

export const toldText = (ready: Ready): string =>
  ready.summary === null ? contextWords.noSummary() : reportText(ready)

/** A summary, and what would be sent with it; undefined if too little could be left out. */
async function readyOf(
  { state, view, messages, sent, room }: Measured,
  { session: id, strategy: wish, asked }: CompactInput,
  signal: AbortSignal,
  bot: Services,
  settings: ContextSettings,
): Promise<Ready | undefined> {
  const next = recentView(messages, view, room, asked ? { ...settings, recent: 0 } : settings)
  const old = sent.filter(({ seq }) => seq < next.from)
  if (next.from <= view.from || sent.length < settings.compactMessages || old.every(isSummary)) return
  const chosen = wish === 'auto' ? chosenStrategy(state.reports) : wish
  // Whichever model answers in the thread, the base model writes the summary.
  const { model } = baseOf(bot)
  const limits = { tokens: settings.summaryTokens, characters: Math.max(2_000, budgetOf(model, settings) * 2) }
  const write = (how: Wording) => bot.write(id, summaryOrder(old, how, limits), signal)
  // The practice model can't summarise.
  const { summary, strategy } = model.practice ? none : await written(write, chosen, settings.summaryTokens * leeway)
  const after = viewOf(messages, { ...next, summary })
  return {
    base: view.from,
    from: next.from,
    pinned: next.pinned ?? null,
    summary: summary ?? null,
    strategy,
    before: measureOf(sent, room),
    after: measureOf(after, room),
  }
}

type Wording = Exclude<Strategy, 'cut'>

const none = { summary: undefined, strategy: 'cut' } as const

/** The model is told how many words to write, and in some languages as many have this many times the tokens. */
const leeway = 1.5

/**
 * None when the model fails. If it doesn't come to the end of a detailed summary, or that is too long, it's asked for a
 * short one. Without one, the long one is cut.
 */
async function written(
  write: (how: Wording) => Promise<string>,
  strategy: Wording,
  tokens: number,
): Promise<{ summary: string; strategy: Wording } | typeof none> {
  try {
    const text = await write(strategy)
    if (text.trim() === '') return none
    const most = Math.floor((text.length * tokens) / tokensIn(text))
    const short = text.length > most && strategy === 'compact' ? await written(write, 'summarize', tokens) : none
    return short === none ? { summary: cutMiddle(text, most), strategy } : short
  } catch (thrown) {
    if (!(thrown instanceof ModelFailure)) throw thrown
    return thrown instanceof CutShort && strategy === 'compact' ? written(write, 'summarize', tokens) : none
  }
}
