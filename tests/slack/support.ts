import { expect } from 'vitest'
import type { Change, Heard, Ignored, Person, ThreadRef } from '../../src/domain/chat.ts'
import type { HomeView } from '../../src/domain/home.ts'
import type { Given } from '../../src/domain/question.ts'
import type { Request } from '../../src/domain/request.ts'
import { type Clock, systemClock } from '../../src/kit/clock.ts'
import type { ClickOutcome, FeedbackOn, GivenCommand, HomeOf, InboundSink } from '../../src/platforms/inbound-sink.ts'
import type { ChatPlatform, Others, OutgoingFile, Posting, SharedNotes } from '../../src/platforms/platform.ts'
import { slackPlatform } from '../../src/platforms/slack/slack.ts'
import { type Timing, usualTiming } from '../../src/platforms/slack/timing.ts'
import { ownPlace } from '../support/own-place.ts'
import { type SlackOptions, type SlackServer, startSlackServer } from '../support/slack/server.ts'
import { allEvents } from '../support/slack/settings.ts'
import { eventually, patienceMs } from '../support/until.ts'

/** A core that only writes down what it is given. */
export class StubSink implements InboundSink {
  readonly heard: Heard[] = []
  readonly changes: Change[] = []
  readonly commands: GivenCommand[] = []
  readonly deciders: Person[] = []
  readonly answers: { id: string; given: Given; by: string }[] = []
  readonly feedbacks: FeedbackOn[] = []
  readonly ignored: Ignored[] = []
  readonly requests = new Map<string, Request>()
  /** Threads that something happened in. */
  known: ThreadRef[] = []
  /** Called before anything is stored. */
  onHear: (heard: Heard) => Promise<void> = async () => {}
  onChange: (change: Change) => Promise<void> = async () => {}
  onCommand: (command: GivenCommand) => Promise<string> = async () => ''
  onAnswer: (id: string, given: Given) => Promise<ClickOutcome> = async () => ({ kind: 'not-found' })
  readonly #seen = new Set<string>()

  async hear(heard: Heard) {
    await this.onHear(heard)
    if (this.#seen.has(heard.dedupKey)) return { kind: 'duplicate' as const }
    this.#seen.add(heard.dedupKey)
    this.heard.push(heard)
    return { kind: 'new' as const }
  }

  async change(change: Change) {
    await this.onChange(change)
    this.changes.push(change)
  }

  async answer(id: string, given: Given, by: { person: Person }) {
    this.deciders.push(by.person)
    this.answers.push({ id, given, by: by.person.id })
    return this.onAnswer(id, given)
  }

  async whyNot() {
    return undefined
  }

  async takesFiles() {
    return true
  }

  async request(id: string) {
    return this.requests.get(id)
  }

  async command(command: GivenCommand) {
    if (!this.commands.some(({ dedupKey }) => dedupKey === command.dedupKey)) this.commands.push(command)
    return this.onCommand(command)
  }

  async feedback(on: FeedbackOn) {
    this.feedbacks.push(on)
  }

  homeView: HomeView | undefined
  readonly homesOf: HomeOf[] = []
  async home(of: HomeOf) {
    this.homesOf.push(of)
    return this.homeView
  }

  readonly renames: { thread: ThreadRef; title: string }[] = []
  async renamed(thread: ThreadRef, title: string) {
    this.renames.push({ thread, title })
  }

  async ignore(ignored: Ignored) {
    this.ignored.push(ignored)
  }

  readonly retried: { tenant?: string; project?: string }[] = []
  async changed(where: { tenant?: string; project?: string }) {
    this.retried.push(where)
  }

  async threadDeleted() {}

  threads: InboundSink['threads'] = async () => this.known
}

export class StubNotes implements SharedNotes {
  readonly values = new Map<string, string>()

  async get(name: string) {
    return this.values.get(name)
  }

  async set(name: string, value: string) {
    this.values.set(name, value)
  }

  own = (name: string) => name
  inherit = async () => undefined
}

export { eventually }

/** Of an app that was set up before it had to know of its own files. */
export const withoutEcho = allEvents.filter((name) => name !== 'file_created')

export interface Bench {
  server: SlackServer
  sink: StubSink
  notes: StubNotes
  platform: ChatPlatform
  /** Where it listens for requests. */
  url: string | undefined
  /** What the adapter logged, as text. */
  log: string[]
  /** The warnings among it. */
  warnings: string[]
  [Symbol.asyncDispose](): Promise<void>
}

export interface BenchOptions extends SlackOptions {
  pace?: Partial<Timing>
  firstMs?: number
  everyMs?: number
  mostMessages?: number
  /** Requests instead of a socket. */
  http?: boolean
  /** Whether Slack sends its requests to this bot. */
  isReached?: boolean
  notes?: StubNotes
  sink?: StubSink
  /** Another bot on the same server. */
  server?: SlackServer
  /** How far its clock is ahead of the server's. */
  aheadMs?: number
  clock?: Clock
  others?: Others
  catchUpDays?: number
}

/** Waits so short that a test can sit through them; a busy machine is no broken connection. */
export const quickPace: Timing = {
  ...usualTiming,
  pongMs: patienceMs,
  silentMs: patienceMs,
  checkMs: 30,
  openMs: patienceMs,
  goodbyeMs: 50,
  firstWaitMs: 20,
  longestWaitMs: 100,
  unwantedMs: 50,
  lingerMs: 300,
  nameMs: patienceMs,
  ackMs: patienceMs,
  cursorMs: 10,
  standingMs: 50,
  againMs: 100,
  homeMs: 20,
}

/** The adapter on a Slack of our own, with a core that only writes down. */
export async function openBench(options: BenchOptions = {}): Promise<Bench> {
  const {
    pace,
    firstMs = 50,
    everyMs = 30,
    mostMessages = 3,
    http = false,
    isReached = http,
    aheadMs = 0,
    ...more
  } = options
  const { others, catchUpDays = 14, clock = { now: () => systemClock.now() + aheadMs }, ...serverOptions } = more
  const server = options.server ?? (await startSlackServer(serverOptions))
  const sink = options.sink ?? new StubSink()
  const notes = options.notes ?? new StubNotes()
  const log: string[] = []
  const warnings: string[] = []
  const line = (about: object, what: string) => void log.push(`${what} ${JSON.stringify(about)}`)
  const warn = (about: object, what: string) => {
    line(about, what)
    warnings.push(what)
  }
  const place = http ? ownPlace() : undefined
  const platform = slackPlatform(
    {
      botToken: server.botToken,
      appToken: http ? undefined : server.appToken,
      signingSecret: http ? server.signingSecret : undefined,
      apiUrl: server.apiUrl,
      http: place,
    },
    {
      notes,
      others,
      isReplaced: async () => false,
      clock,
      log: { debug: line, info: line, warn, error: line },
      show: { firstMs, everyMs, mostMessages },
      catchUpDays,
    },
    { ...quickPace, ...pace },
  )
  const url = place && `http://${place.host}:${place.port}/slack/events`
  if (isReached && url !== undefined) server.deliverTo(url)
  await platform.start(sink)
  return {
    server,
    sink,
    notes,
    platform,
    url,
    log,
    warnings,
    async [Symbol.asyncDispose]() {
      await platform.stop()
      if (options.server === undefined) await server.close()
    },
  }
}

/** What was looked for while a message was under way, which may have been found before it came, has ended. */
export async function looksOn(server: SlackServer): Promise<void> {
  const read = server.callsTo('conversations.history').length
  await eventually(() => expect(server.callsTo('conversations.history').length).toBeGreaterThan(read + 10))
}

export const threadOf = (server: SlackServer, channel: string, thread: string): ThreadRef => ({
  platform: 'slack',
  tenant: server.team.id,
  project: server.channel(channel),
  thread,
})

/** A posting that keeps its note. */
export function posting(key: string, since = Date.now()): Posting & { note: string | undefined; postponed: string[] } {
  const kept: Posting & { note: string | undefined; postponed: string[] } = {
    postponed: [],
    key,
    note: undefined,
    since,
    isOther: async () => false,
    async remember(note: string) {
      kept.note = note
    },
    async postpone(files: OutgoingFile[]) {
      kept.postponed.push(...files.map(({ name }) => name))
    },
  }
  return kept
}
