import type { CallId } from '../../domain/ids.ts'
import type { Message, ToolCall } from '../../domain/messages.ts'
import { saidOfCall } from '../../domain/said-of-call.ts'
import type { Tool } from '../../domain/tool.ts'
import type { Documents } from '../../kit/documents/document.ts'
import { Failure } from '../../kit/failure.ts'
import type { Json } from '../../kit/json.ts'
import { isSlotName, type Model, type SlotName } from '../../kit/model/model.ts'
import { oneLine } from '../../kit/text/text.ts'
import type { ChatPlatform } from '../../platforms/platform.ts'
import { appendEvents } from '../../store/events.ts'
import { openingOf } from '../../store/inbox.ts'
import type { InboxEvent } from '../../store/inbox-event.ts'
import { loadedTools } from '../../store/session-tools.ts'
import { findSession, homeOf, type Session } from '../../store/sessions.ts'
import type { Lease, Store } from '../../store/store.ts'
import type { StoredTurn } from '../../store/turns.ts'
import type { Rules } from '../../trust/rules.ts'
import type { LateWorkspace } from '../../workspace/late.ts'
import type { HookContext, Status } from '../port/capability.ts'
import { type CapabilityName, type Mentioned, mayMention } from '../port/mentions.ts'
import type { MomentPlace } from '../port/moments.ts'
import { type Narrowing, narrowed } from '../port/narrowing.ts'
import type { TurnScope } from '../port/scope.ts'
import { Journal } from './journal.ts'
import { loadFitting } from './load-fitting.ts'
import { ownerOf } from './owner-of.ts'
import type { TurnServices } from './services.ts'
import { renewed, type SystemPrompt, systemPromptOf } from './system-prompt.ts'
import type { Toolbox } from './toolbox.ts'

interface Opened {
  session: Session
  row: StoredTurn
  /** What woke it, if that is already known and can't change any more. */
  opening?: InboxEvent
  lease: Lease
  /** Aborted by a stop, and when another process takes over. */
  signal: AbortSignal
  /** The turn has got beyond the step at which an earlier process died. */
  pastCrash(): void
}

/** What a turn knows when it has just read its first messages. */
export interface JustRead {
  /** None of them mentions the bot. */
  isAmongPeople: boolean
  /** The session's whole history, if it begins with them. */
  history: Message[] | undefined
}

/**
 * A turn at work: what it belongs to, what it may use, and its rows. Everything that runs in a turn gets this one
 * object.
 */
export class Turn implements TurnScope {
  readonly bot: TurnServices
  /** As it was when this process last looked. */
  session: Session
  /** As stored when this process took it up. */
  readonly row: StoredTurn
  readonly lease: Lease
  readonly signal: AbortSignal
  readonly workspace: LateWorkspace
  readonly documents: Documents
  readonly journal: Journal
  /** The turn has got beyond the step at which an earlier process died. */
  readonly pastCrash: () => void
  /** An alarm woke it. */
  readonly byAlarm: boolean
  /** What was said longer ago counts as late, ms. */
  readonly lateMs: number
  /** The instructions, and which changes of them still have to be told. */
  prompt: SystemPrompt
  /** Messages from before the first mention have been looked for. */
  earlierIsRead = false
  /** Set from the start until the first step, if the turn began and read its messages in one transaction. */
  justRead: JustRead | undefined
  /** A call or a message has changed what the instructions are made of. */
  promptIsStale = false
  /** It may have changed the session's row, too. */
  #sessionIsStale = false
  /** The thread's current tools. */
  tools: Tool[]
  /** What of the thread's tools and model is taken away at present. */
  narrowing: Narrowing | undefined
  /** How long this process has waited for models in this turn. */
  askedMs = 0
  /** A model was shown images in this turn. */
  hasShownImages = false
  /** The slots whose model answers instead of another one, and people were told so. */
  readonly toldInstead = new Set<SlotName>()

  private constructor(
    { session, row, opening, lease, signal, pastCrash }: Opened,
    bot: TurnServices,
    found: { workspace: LateWorkspace; tools: Tool[]; byAlarm: boolean; prompt: SystemPrompt },
  ) {
    this.bot = bot
    this.session = session
    this.row = row
    this.lease = lease
    this.signal = signal
    this.pastCrash = pastCrash
    this.workspace = found.workspace
    this.documents = bot.documents.of(homeOf(session), found.workspace)
    this.tools = found.tools
    this.narrowing = bot.capabilities.narrowing(session, row)
    this.byAlarm = found.byAlarm
    this.prompt = found.prompt
    this.lateMs = bot.config.agent.lateHours * 3_600_000
    this.journal = new Journal({
      store: bot.store,
      lease,
      turn: row,
      session,
      opening,
      textStream: bot.textStream,
      pastCrash,
      isPosted: this.isPosted,
      historyFrom: session.historyFrom,
      lateMs: this.lateMs,
      underway: (db) => bot.capabilities.hooks.underway(db, row),
    })
  }

  static async open(opened: Opened, bot: TurnServices): Promise<Turn> {
    const { session, row } = opened
    await bot.capabilities.ready(bot)
    const workspace = bot.workspaces.late(session)
    // Only a message that was read can have loaded any, or a parent.
    const loaded = session.messages === 0 && !session.parent ? [] : await loadedTools(bot.store.db, session.id)
    const opening = opened.opening ?? (await openingOf(bot.store.db, row))
    const context = { session: session.id, turn: row.id, signal: opened.signal }
    const prompt = await systemPromptOf(session, loaded, context, bot)
    const tools = bot.toolbox.in(session.thread).of(loaded, prompt.offered, session)
    return new Turn(opened, bot, { workspace, tools, byAlarm: opening.kind === 'alarm', prompt })
  }

  get store(): Store {
    return this.bot.store
  }

  /** The tools for threads of this place. */
  get toolbox(): Toolbox {
    return this.bot.toolbox.in(this.session.thread)
  }

  get platform(): ChatPlatform | undefined {
    return this.bot.platforms.get(this.session.thread.platform)
  }

  /** What it shows is posted on a platform, where a long text doesn't fit on a card. Screens show everything. */
  get isPosted(): boolean {
    return this.platform?.progress === 'posted'
  }

  /** It belongs to a child session. */
  get isChild(): boolean {
    return this.session.parent !== undefined
  }

  /** What people chose for the thread, or else what it was narrowed to. */
  get chosenSlot(): SlotName | undefined {
    const { model } = this.session
    return model !== undefined && isSlotName(model) ? model : this.narrowing?.slot
  }

  /** The tools that the model is offered: those of the thread that are left. */
  get offered(): Tool[] {
    return this.narrowing === undefined ? this.tools : this.tools.filter((tool) => this.accepts(tool))
  }

  /** Whether the thread may use it now. */
  accepts(tool: Tool): boolean {
    return this.narrowing?.has?.(tool) ?? true
  }

  /** What calls of this tool are judged by. */
  rulesFor(tool: Tool): Rules {
    return this.narrowing === undefined ? this.bot.rules : narrowed(this.bot.rules, this.narrowing, tool)
  }

  get maxSteps(): number {
    const { maxSteps } = this.session.parent ?? this.bot.config.agent
    return Math.min(maxSteps, this.narrowing?.steps ?? Number.POSITIVE_INFINITY)
  }

  /** The model that answers unless the request calls for another. */
  get model(): Model {
    const [first] = this.bot.answerers.for({ chosen: this.chosenSlot, task: undefined })
    if (first === undefined) throw new Error('there is no model')
    return first.model
  }

  get canSee(): boolean {
    return this.bot.answerers.seeingFor(this.chosenSlot) !== undefined
  }

  get hookContext(): HookContext {
    const { parent } = this.session
    return { session: this.session.id, turn: this.row.id, signal: this.signal, ...(parent && { parent }) }
  }

  get place(): MomentPlace {
    return { session: this.session.id, turn: this.row.id }
  }

  findTool(name: string): Tool | undefined {
    const isIt = (tool: Tool) => tool.name === name
    return this.tools.find(isIt) ?? this.toolbox.onDemandIn(this.session).find(isIt)
  }

  /** What a call does, in words for people who watch; undefined if its tool doesn't say. */
  titleOf(call: ToolCall): string | undefined {
    const tool = this.findTool(call.name)
    const said: unknown = tool?.doing && saidOfCall(tool, call, (input) => tool.doing?.(input))
    return typeof said === 'string' ? oneLine(this.store.mask(said), 120) : undefined
  }

  async load(names: readonly string[]): Promise<{ loaded: string[]; noRoom: string[] }> {
    const usable = names.filter((name) => {
      const tool = this.findTool(name)
      return tool !== undefined && this.accepts(tool)
    })
    const { there } = await this.store.fenced(this.lease, (tx) => loadFitting(tx, usable, this))
    return { loaded: there, noRoom: usable.filter((name) => !there.includes(name)) }
  }

  promptChanged(): void {
    this.promptIsStale = true
    this.#sessionIsStale = true
  }

  /** Builds the sections of the instructions anew; `named` is mentioned in messages that are about to be read. */
  async renewPrompt(named: readonly CapabilityName[]): Promise<void> {
    this.promptIsStale = false
    // What is named now is stored only when the messages are read.
    if (named.length === 0) await this.#look()
    this.prompt = await renewed(this.prompt, this.session, named, this.hookContext, this.bot)
  }

  /** What `@name` in a message means, and what it implies unless it is an answer. */
  async mentionsIn(text: string, origin: 'person' | 'answer'): Promise<Mentioned | undefined> {
    const { capabilities } = this.bot
    const implied =
      origin === 'answer' ? [] : await capabilities.implied(text, this.session, this.bot, this.hookContext)
    if (!mayMention(text)) return implied.length === 0 ? undefined : { tools: [], named: implied, answers: [] }
    const others = await capabilities.names(this.session, this.bot, this.hookContext)
    const mentioned = this.toolbox.mentionsIn(text, others)
    const isNamed = ({ name }: CapabilityName) => mentioned.named.some((one) => one.name === name)
    return { ...mentioned, named: [...mentioned.named, ...implied.filter((one) => !isNamed(one))] }
  }

  ownerOf = (name: string, besides?: string): Promise<string | undefined> => ownerOf(name, this, besides)

  /** A person may have loaded more, or something may have taken some away. */
  async reloadTools(): Promise<void> {
    await this.#look()
    this.tools = this.toolbox.of(await loadedTools(this.store.db, this.session.id), this.prompt.offered, this.session)
  }

  /** Looks at the session again if its row may have changed. */
  async #look(): Promise<void> {
    if (!this.#sessionIsStale) return
    this.#sessionIsStale = false
    const { bot, row, session } = this
    const { historyFrom } = session
    this.session = { ...((await findSession(bot.store.db, session.id)) ?? session), historyFrom }
    this.narrowing = bot.capabilities.narrowing(this.session, row)
  }

  /** What a tool may use besides the usual context. */
  contextOf(tool: Tool, call: CallId): object {
    return this.bot.capabilities.contextOf(tool, this, call)
  }

  /** Sends screens an event of the capability that brings the tool. Throws `unknown_event`. */
  async tell(tool: Tool, event: string, data: Json): Promise<void> {
    const owner = this.bot.capabilities.ownerOf(tool, this.bot)
    const parsed = owner?.events?.[event]?.safeParse(data)
    if (owner === undefined || parsed?.success !== true) {
      const fact = `The capability of ${tool.name} has no event ${event} with this data.`
      throw new Failure('unknown_event', fact, 'Describe it in the capability’s `events`.')
    }
    const custom = { turn_id: this.row.id, capability: owner.name, event, data }
    await this.store.fenced(this.lease, (tx) => appendEvents(tx, this.session.id, [{ type: 'custom', data: custom }]))
  }

  /** Tells screens what the turn is doing. */
  async status(now: Status): Promise<void> {
    const { statuses, capabilities } = this.bot
    if (statuses.get(this.session.id) === now) return
    statuses.set(this.session.id, now)
    await capabilities.hooks.status(now, this.hookContext)
  }

  /** Writes to the log. A property, so that it can be passed on. */
  readonly report = (thrown: unknown): void => this.bot.report('a turn failed', { session: this.session.id })(thrown)
}
