import type { NewEvent } from '../../domain/events.ts'
import type { Message } from '../../domain/messages.ts'
import { tokensIn, tokensOfTools } from '../../kit/model/tokens.ts'
import { writeContext } from '../../store/contexts.ts'
import { appendEvents } from '../../store/events.ts'
import type { Tx } from '../../store/store.ts'
import type { HistoryNeed, SentHistory } from '../../turn/port/capability.ts'
import { unansweredIn } from '../../turn/port/history.ts'
import type { TurnScope } from '../../turn/port/scope.ts'
import { ratioOf } from '../../turn/port/weigh.ts'
import type { CompactInput } from './compact.ts'
import { budgetOf, type Level, levelOf, warningAt } from './levels.ts'
import { messagesIn, mostMessages } from './measure.ts'
import { measureOf, type Room, tokensWith, windowView } from './room.ts'
import type { ContextSettings } from './settings.ts'
import { startCompacting, untilReady } from './start.ts'
import { isSameView, noState, type Ready, type Report, readState, type State, viewIn } from './state.ts'
import { prune, type View, viewOf } from './view.ts'

/** How many reports are kept. The latest ones decide which strategy comes next. */
const keptReports = 10
/** How many of them, the latest, keep their summaries. */
const keptSummaries = 4

/** When a model refuses a request as too long, the next one has at most this share of it. */
const lessShare = 0.6

/**
 * The part of the history that the next request contains. It changes rarely, so that a provider's cache stays valid.
 */
export async function historyFor(
  turn: TurnScope,
  need: HistoryNeed,
  settings: ContextSettings,
): Promise<SentHistory | undefined> {
  if (settings.window === 'messages') return undefined
  const context = await Context.of(turn, need, settings)
  await context.settle()
  return { messages: context.sent, unanswered: context.unanswered, reminders: context.reminders }
}

class Context {
  readonly #turn: TurnScope
  readonly #settings: ContextSettings
  readonly #messages: Message[]
  readonly #tooLong: boolean
  #room: Room
  #state: State
  /** The state as last read or written. */
  #stored: State
  sent: Message[]

  private constructor(
    turn: TurnScope,
    settings: ContextSettings,
    found: { state: State; messages: Message[]; room: Room; tooLong: boolean },
  ) {
    this.#turn = turn
    this.#settings = settings
    this.#messages = found.messages
    this.#tooLong = found.tooLong
    this.#state = found.state
    this.#stored = found.state
    this.#room = found.room
    this.sent = viewOf(this.#messages, this.#view)
    if (!this.#tooLong) return
    const budget = Math.min(found.room.budget, Math.floor(this.#tokens * lessShare))
    this.#room = { ...found.room, budget }
  }

  static async of(turn: TurnScope, need: HistoryNeed, settings: ContextSettings): Promise<Context> {
    const { session, bot } = turn
    const { db } = bot.store
    const state = need.known === undefined ? await readState(db, session.id, session.historyFrom) : noState
    const messages = need.known ?? (await messagesIn(db, session, viewIn(state)))
    const fixed = tokensIn(need.system) + tokensOfTools(need.tools)
    const room = { budget: budgetOf(need.model, settings), fixed, ratio: ratioOf(messages) }
    return new Context(turn, settings, { state, messages, room, tooLong: need.tooLong })
  }

  get unanswered(): Message[] {
    return unansweredIn(this.#messages)
  }

  get #view(): View {
    return viewIn(this.#state)
  }

  get #tokens(): number {
    return tokensWith(this.sent, this.#room)
  }

  get #level(): Level {
    return levelOf(this.#tokens, this.#room.budget, this.#settings)
  }

  get reminders(): string[] {
    if (this.#turn.session.parent !== undefined) return []
    return warningAt(this.#level, this.#tokens, this.#room.budget, this.#settings)
  }

  /**
   * Puts a finished summary in place, leaves out what must go, and has the next summary written before it is needed.
   */
  async settle(): Promise<void> {
    if (this.#isPlaceable) await this.#place(this.#state.ready as Ready)
    if (this.#messages.length >= mostMessages) await this.#cut(this.#messages.slice(-mostMessages / 2))
    if (this.#level === 'fine') return
    await this.#prune()
    if (this.#level === 'critical') await this.#makeRoom()
    else await this.#prepare()
  }

  get #isPlaceable(): boolean {
    const { ready, from } = this.#state
    return ready !== undefined && ready.summary !== null && ready.base === from && ready.from > from
  }

  async #prune(): Promise<void> {
    const pruned = prune(this.#messages, this.#view, this.#settings)
    if (pruned.prunedTo === this.#state.prunedTo) return
    const state = { ...this.#state, prunedTo: pruned.prunedTo }
    if (await this.#write(state, 'stays')) this.#taken(state)
  }

  /**
   * A request at the critical level waits for a summary, once a turn. If there is none, older messages are left out
   * anyway.
   */
  async #makeRoom(): Promise<void> {
    const { row, session, bot, signal } = this.#turn
    const { waitMs, compact, compactMessages } = this.#settings
    if (compact && this.#state.turn !== row.id && this.sent.length >= compactMessages) {
      await this.#start('critical', { turn: row.id })
      const waiting = AbortSignal.any([signal, bot.engine.leaving])
      const { ready } = await untilReady(bot.store.db, session, { waitMs, signal: waiting })
      this.#state = { ...this.#state, ready }
      if (this.#isPlaceable) await this.#place(ready as Ready)
    }
    if (this.#level === 'critical') await this.#cut(this.#messages)
  }

  async #cut(messages: Message[]): Promise<void> {
    const view = windowView(messages, this.#view, this.#room, this.#turn.bot.config.agent.windowMessages)
    if (view.from > this.#state.from) await this.#change({ ...this.#state, ...view }, 'cut')
  }

  /** Asks for a summary once at each level. */
  async #prepare(): Promise<void> {
    const level = this.#level
    const { compact, compactMessages } = this.#settings
    if (level === 'fine' || !compact || this.sent.length < compactMessages) return
    if (this.#state.started !== `${this.#state.from} ${level}`) await this.#start(level, {})
  }

  async #start(level: Level, more: Partial<State>): Promise<void> {
    const { session } = this.#turn
    const state = { ...this.#state, ...more, started: `${this.#state.from} ${level}` }
    const input: CompactInput = { session: session.id, strategy: 'auto', asked: this.#tooLong, tell: false }
    if (await this.#write(state, 'stays', (tx) => startCompacting(tx, input))) this.#state = state
  }

  async #place(ready: Ready): Promise<void> {
    const { from, pinned, summary, strategy } = ready
    await this.#change({ ...this.#state, from, pinned: pinned ?? undefined, summary: summary ?? undefined }, strategy)
  }

  /** Switches to another view, and reports it. */
  async #change(state: State, strategy: Report['strategy']): Promise<void> {
    const { session, row } = this.#turn
    const before = measureOf(this.sent, this.#room)
    const after = measureOf(viewOf(this.#messages, viewIn(state)), this.#room)
    const report = { strategy, before, after }
    const { from, pinned, summary } = state
    const reports = keptOf([...state.reports, { ...report, sent: { from, pinned, summary } }])
    const next = { ...state, ready: undefined, reports }
    const event: NewEvent = { type: 'context_compressed', data: { turn_id: row.id, ...report } }
    const ready = strategy === 'cut' ? 'goes' : 'is placed'
    const isWritten = await this.#write(next, ready, (tx) => appendEvents(tx, session.id, [event]))
    if (isWritten) this.#taken(next)
  }

  /** Writes nothing if a summary was dropped meanwhile because somebody changed a message that it covers. */
  #write(
    state: State,
    ready: 'stays' | 'goes' | 'is placed',
    along: (tx: Tx) => Promise<unknown> = async () => {},
  ): Promise<boolean> {
    const { session, lease, bot } = this.#turn
    const known = this.#stored
    return bot.store.fenced(lease, async (tx) => {
      const now = await readState(tx.db, session.id, session.historyFrom)
      if (!isSameView(now, known) || (ready === 'is placed' && now.ready === undefined)) return false
      await writeContext(tx, session.id, state, ready !== 'stays')
      await along(tx)
      this.#stored = state
      return true
    })
  }

  #taken(state: State): void {
    this.#state = state
    this.sent = viewOf(this.#messages, this.#view)
  }
}

const keptOf = (reports: readonly Report[]): Report[] =>
  reports.slice(-keptReports).map((report, place, kept) => {
    if (place >= kept.length - keptSummaries) return report
    const { sent: _, ...figures } = report
    return figures
  })
