import { expect, onTestFinished } from 'vitest'
import type { Person, ThreadRef } from '../../src/domain/chat.ts'
import type { Given } from '../../src/domain/question.ts'
import type { Request } from '../../src/domain/request.ts'
import type { ClickOutcome, InboundSink } from '../../src/platforms/inbound-sink.ts'
import type { ChatPlatform, PlatformDeps } from '../../src/platforms/platform.ts'
import { startTestBot, type TestBot, type TestBotOptions } from './bot.ts'
import { Connection } from './memory/connection.ts'
import { namesBot, toHeard } from './memory/heard.ts'
import { Troubles } from './memory/troubles.ts'
import { type Message, memoryName, type Page, pageOf, World, wordsOf } from './memory/world.ts'
import { changeIn, rowsIn } from './rows.ts'
import { eventually } from './until.ts'

export { pageBreak } from './memory/connection.ts'
export { type Message, type Page, pageOf, wordsOf } from './memory/world.ts'

interface SayOptions {
  /** A message of the thread in which it is said; without, it begins one. */
  in?: Message
  channel?: string
  tenant?: string
  /** Alone with the bot. */
  direct?: boolean
  bot?: boolean
  files?: Record<string, string>
  quotesOthers?: true
  /** The question whose form it comes from. */
  answers?: Request['id']
  /** How often it is delivered; 0 means never. */
  copies?: number
}

/** A chat platform in memory, and the people on it. It outlives the bot's restarts. */
class MemoryPlatform {
  readonly world = new World(() => this.clock.now())
  readonly misbehave = new Troubles()
  #connection: Connection | undefined
  /** Whether the bot is set up for it when it is started. */
  isConfigured = true

  /** How much the bot's clock advances at every check of `eventually`, ms, so that retries come soon. */
  hurry = 0
  #passed = 0
  readonly clock = { now: () => Date.now() + this.#passed }

  pass(ms: number): void {
    this.#passed += ms
  }

  /** What repeats by the time of day then rings only when a test lets time pass. */
  passQuarter(): void {
    const quarter = 15 * 60_000
    this.pass(quarter - (this.clock.now() % quarter) + 60_000)
  }

  connect(deps: PlatformDeps): ChatPlatform {
    this.#connection = new Connection(this.world, this.misbehave, deps)
    return this.#connection
  }

  /** Messages of progress: all of this life of the bot, and those that nobody has ended. */
  get lives(): { opened: number; open: number } {
    return { opened: this.#connection?.opened ?? 0, open: this.#connection?.open.length ?? 0 }
  }

  /** Shows pending progress now. */
  showNow(): void {
    for (const live of this.#connection?.open ?? []) live.showNow()
  }

  /** Somebody fixed something, so refused messages may be posted now. */
  mend = (where: { tenant?: string; project?: string } = {}) => this.#sink.changed(where)

  /** It answers, but can't reach the bot. */
  unreached(): void {
    if (this.#connection) this.#connection.health = () => ({ ok: false, waits: true, detail: 'It is out of reach.' })
  }

  /** Loses everything in transit to and from the platform. */
  cut(): void {
    this.#connection?.cut()
  }

  /** Waits until it holds. */
  eventually(holds: () => unknown): Promise<unknown> {
    return eventually(() => {
      this.pass(this.hurry)
      return holds()
    })
  }

  get #sink(): InboundSink {
    const sink = this.#connection?.sink
    if (sink === undefined) throw new Error('the bot is not connected')
    return sink
  }

  #person(name: string): Person {
    if (this.world.unchecked.has(name)) return { id: name, name, outside: true, unchecked: true }
    return { id: name, name, ...(this.world.outsiders.has(name) && { outside: true }) }
  }

  /** Somebody says something; `@bobbin …` names the bot. Resolves when it was acknowledged. */
  async say(person: string, text: string, options: SayOptions = {}): Promise<Message> {
    const { channel = 'general', tenant = 'team', direct = false, bot = false, files = {}, copies = 1 } = options
    const message = this.world.add({
      quotesOthers: options.quotesOthers,
      thread: options.in?.thread ?? { platform: memoryName, tenant, project: channel },
      author: bot ? 'bot' : 'person',
      person: this.#person(person),
      text,
      files: Object.entries(files).map(([name, content]) => ({ id: crypto.randomUUID(), name, content })),
      mentioned: namesBot(text),
      direct,
      key: undefined,
      pages: [],
    })
    await Promise.all(Array.from({ length: copies }, () => this.deliver(message, options.answers)))
    return message
  }

  /** From now on messages are missed, and read when their thread catches up. */
  gap(hear: () => Promise<unknown>): void {
    if (this.#connection === undefined) throw new Error('the bot is not connected')
    this.#connection.missed = async () => void (await hear())
  }

  /** Delivers a message in its current form, possibly again. */
  deliver = (message: Message, answers?: Request['id']) =>
    this.#sink.hear({ ...toHeard(message), ...(answers && { answers }) })

  /** Returns what delivers this edit again, in other words if wanted. */
  async edit(message: Message, text: string, copies = 1): Promise<(words?: string) => Promise<void>> {
    message.text = text
    message.editedAt = Math.max(Date.now(), (message.editedAt ?? 0) + 1)
    message.mentioned = namesBot(text)
    const now = toHeard(message)
    const { dedupKey, thread, person } = now
    const change = (words = now.text) =>
      this.#sink.change({ dedupKey, message: message.id, thread, person, now: { ...now, text: words } })
    await Promise.all(Array.from({ length: copies }, () => change()))
    return change
  }

  async delete(message: Message): Promise<void> {
    message.deleted = true
    const { dedupKey, thread, person } = toHeard(message)
    await this.#sink.change({ dedupKey, message: message.id, thread, person, now: undefined })
  }

  click(
    person: string,
    request: Pick<Request, 'id'>,
    given: Given,
    place: { tenant?: string; project?: string } = {},
  ): Promise<ClickOutcome> {
    const by = { person: this.#person(person), tenant: 'team', project: 'general', ...place }
    return this.#sink.answer(request.id, given, by)
  }

  /** A slash command, a button or a reaction. `at`: when it was given, if the platform says so. `on`: a message. */
  command(person: string, name: string, message: Message | undefined, { at, on }: { at?: number; on?: Message } = {}) {
    const { tenant, project } = message?.thread ?? { tenant: 'team', project: 'general' }
    const given = { dedupKey: crypto.randomUUID(), name, argument: '', thread: message?.thread, tenant, project }
    const about = { ...(at !== undefined && { at }), ...(on && { message: on.id }) }
    return this.#sink.command({ ...given, person: this.#person(person), ...about })
  }

  judge(person: string, message: Message, value: 'good' | 'bad'): Promise<void> {
    const { thread, id } = message
    const by = { person: this.#person(person), tenant: thread.tenant, project: thread.project }
    return this.#sink.feedback({ thread, message: id, value }, by)
  }

  deleteThread = (thread: ThreadRef) => this.#sink.threadDeleted(thread)

  threads = (since: number) => this.#sink.threads(since)

  /** The bot's messages in a thread, oldest first. */
  shown(message: Message): Message[] {
    const { thread } = message.thread
    return this.world.messages.filter(({ author, deleted, ...one }) => {
      return author === 'self' && !deleted && one.thread.thread === thread
    })
  }

  /** What they show now, one word each. */
  kinds = (message: Message): Page['kind'][] => this.shown(message).map((one) => pageOf(one).kind)

  /** The text of its answers, page by page. */
  answers = (message: Message): string[] => this.shown(message).flatMap((one) => wordsOf(pageOf(one)) ?? [])

  /** The text of the cards. */
  cards(message: Message): Request[] {
    const pages = this.shown(message).map(pageOf)
    return pages.flatMap((page) => (page.kind === 'card' ? [page.request] : []))
  }

  async untilAnswered(message: Message, ...texts: string[]): Promise<void> {
    await this.eventually(() => expect(this.answers(message)).toEqual(texts))
  }

  /** A card that waits. */
  async untilCard(message: Message, count = 1): Promise<Request> {
    await this.eventually(() =>
      expect(this.cards(message).filter(({ state }) => state === 'pending')).toHaveLength(count),
    )
    return this.cards(message).at(-1) as Request
  }

  /** Live messages that show something. */
  async untilProgress(
    message: Message,
    fits: (page: Page & { kind: 'progress' }) => boolean = () => true,
  ): Promise<Message> {
    let found: Message | undefined
    await this.eventually(() => {
      found = this.shown(message).find((one) => {
        const page = pageOf(one)
        return page.kind === 'progress' && fits(page)
      })
      expect(found).toBeDefined()
    })
    return found as Message
  }
}

export interface MemoryBot extends TestBot {
  memory: MemoryPlatform
  /** What a query of its database returns. */
  rows(query: string): Record<string, unknown>[]
  /** Changes its database from outside. */
  change(...statements: string[]): void
  /**
   * Restarts it as after a crash: everything in transit is lost, and its rows are changed to what the crash would leave.
   */
  crashAs(...statements: string[]): Promise<void>
  /** Resolves when nothing is in progress; whatever hasn't arrived by then never will. */
  settled(): Promise<void>
}

/** A bot on an in-memory platform, whose rules are checked at the end. */
export async function startMemoryBot(options: TestBotOptions = {}): Promise<MemoryBot> {
  const memory = new MemoryPlatform()
  // Only answers and cards, unless a test wants to see progress.
  const show = { firstMs: 600_000, everyMs: 50, ...options.config?.show }
  const bot = await startTestBot({
    clock: memory.clock,
    ...options,
    config: {
      ...options.config,
      // Anybody may decide here; other tests show who may.
      rules: { deciders: { team: { who: ['anyone'], asker: true, needed: 1 } }, ...options.config?.rules },
      show,
    },
    platforms: (deps) => (memory.isConfigured ? [memory.connect(deps)] : []),
  })
  onTestFinished(() => expect(memory.world.violations).toEqual([]))
  const rows = (query: string) => rowsIn(bot.database, query)
  const change = (...statements: string[]) => changeIn(bot.database, ...statements)
  return {
    ...bot,
    memory,
    rows,
    change,
    async crashAs(...statements) {
      memory.cut()
      await bot.stop()
      change(...statements)
      await bot.restart()
    },
    async settled() {
      await memory.eventually(() => {
        expect(rows("select key from outbox where state = 'pending'")).toEqual([])
        expect(rows("select id from turns where state = 'running'")).toEqual([])
        expect(rows("select seq from inbox where state = 'pending'")).toEqual([])
      })
    },
  }
}
