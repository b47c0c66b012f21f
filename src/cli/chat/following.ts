import { setTimeout as sleep } from 'node:timers/promises'
import { endsStream, type SessionEvent, type ToldEvent } from '../../domain/events.ts'
import { Failure } from '../../kit/failure.ts'
import { cliWords } from '../words.ts'
import { askedWhole } from './asked.ts'
import { type Asked, Requests } from './requests.ts'
import type { Screen } from './screen.ts'
import { Refused, type Server } from './server.ts'
import { failureText, plain } from './shown.ts'

const firstPauseMs = 300
const longestPauseMs = 5_000
/** How long a script waits for a bot that can't be reached, ms. A person sees it, and may wait longer. */
export const scriptPatienceMs = 300_000
/** The latest events of a thread that is opened again. */
const history = 200

/** One thread's events: shows them as they come, and keeps what they say about turns and requests. */
export class Following {
  /** Those that wait for a person. */
  readonly requests: Requests
  readonly #server: Server
  readonly #screen: Screen
  readonly #patienceMs: number
  readonly #leaving = new AbortController()
  #thread: string | undefined
  #lastEvent = 0
  /** The last event that was there when the thread was opened: what ended by then ends nothing now. */
  #openedAt = 0
  /** What waited when the thread was opened, also if it was asked before the events that are shown. */
  #waited: Asked[] = []
  /** Sent from here, so they aren't shown again. */
  readonly #own: string[] = []
  /** What was answered last, if nothing ran then. */
  #voting: string | undefined
  /** Requests of which a vote was shown. */
  readonly #votedOn = new Set<string>()
  #hasLost = false
  /** When the connection was lost, while it is. */
  #lostAt: number | undefined
  #isBusy = false
  #settled = Promise.withResolvers<void>()
  readonly #caughtUp = Promise.withResolvers<void>()

  /** `patienceMs`: how long it tries to connect again before the thread counts as lost. */
  constructor(server: Server, screen: Screen, patienceMs: number) {
    this.#server = server
    this.#screen = screen
    this.#patienceMs = patienceMs
    this.requests = new Requests((asked) => screen.line(askedWhole(asked)))
  }

  get thread(): string | undefined {
    return this.#thread
  }

  get isBusy(): boolean {
    return this.#isBusy
  }

  /** Whether its events can't be followed any more. */
  get hasLost(): boolean {
    return this.#hasLost
  }

  /** Resolves when no turn is running: the thread rests, or waits for a person. */
  settled = (): Promise<void> => (this.#isBusy ? this.#settled.promise : Promise.resolve())

  /**
   * Whether everything that was there when the thread was opened has come, such as a question that waits. Tells on the
   * screen if it doesn't.
   */
  async catchUp(): Promise<boolean> {
    if (this.#lastEvent >= this.#openedAt) return true
    const timer = setInterval(() => {
      // While the connection is lost, `#hear` knows how long to wait for it, and what to say then.
      if (this.#lostAt === undefined) this.#lose(nothingCame(this.#patienceMs))
    }, this.#patienceMs)
    await this.#caughtUp.promise
    clearInterval(timer)
    return !this.#hasLost
  }

  leave = (): void => this.#leaving.abort()

  /** Shows the end of a thread that is there already, and follows it. */
  async open(id: string): Promise<void> {
    this.follow(await this.#goToEnd(id))
  }

  async #goToEnd(id: string): Promise<string> {
    const { id: thread, title, last_sequence, state, pending_requests } = await this.#server.thread(id)
    this.#waited = pending_requests > 0 && last_sequence > history ? await this.#server.pending(thread) : []
    this.#screen.line(`Thread ${thread}: ${plain(title)}`)
    this.#openedAt = last_sequence
    this.#lastEvent = Math.max(0, last_sequence - history)
    if (['thinking', 'acting', 'observing', 'retrying'].includes(state)) this.#busy()
    else this.#rest()
    return thread
  }

  /** Begins with it, or goes on after its events couldn't be followed. */
  follow(thread: string): void {
    if (this.#thread !== undefined && !this.#hasLost) return
    this.#thread = thread
    this.#hasLost = false
    void this.#hear(thread).catch((thrown) => this.#lose(thrown))
  }

  #lose(thrown: unknown): void {
    this.#hasLost = true
    this.#screen.line(failureText(thrown))
    // Nobody would hear any more that the turn ends.
    this.#rest()
    this.#caughtUp.resolve()
  }

  /** Busy with a message until its turn is over, or until it turns out that it can't be sent. */
  async sending(text: string, send: () => Promise<string>): Promise<void> {
    this.#own.push(text)
    try {
      this.follow(await this.#busyWith(send))
    } catch (thrown) {
      this.#takeOwn(text)
      throw thrown
    }
  }

  /**
   * Busy with an answer. `answer` resolves with whether others are to answer, too: nothing goes on with one vote of
   * several.
   */
  async answering(request: string, answer: () => Promise<boolean>): Promise<void> {
    if (!this.#isBusy) this.#voting = request
    const waits = await this.#busyWith(answer)
    // The same vote again is told by no event.
    if (waits && this.#voting === request && this.#votedOn.has(request)) this.#rest()
  }

  async #busyWith<T>(work: () => Promise<T>): Promise<T> {
    this.#busy()
    try {
      return await work()
    } catch (thrown) {
      this.#rest()
      throw thrown
    }
  }

  /** Follows the events; a lost connection goes on after the last one. */
  async #hear(thread: string): Promise<void> {
    const { signal } = this.#leaving
    this.#lostAt = undefined
    /** What was shown isn't what the bot knows. */
    let isOther = false
    for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
      const connected = () => {
        pauseMs = firstPauseMs
        if (this.#lostAt !== undefined) this.#screen.line('  (Connected again.)')
        this.#lostAt = undefined
      }
      try {
        if (isOther) await this.#goToEnd(thread)
        isOther = false
        for await (const event of this.#server.events(thread, this.#lastEvent, signal, connected)) this.#show(event)
      } catch (thrown) {
        if (signal.aborted) return
        // Whoever may not read the thread is told so again; what else fails, such as a proxy while the bot restarts,
        // passes.
        if (thrown instanceof Refused && [401, 403, 404].includes(thrown.status)) throw thrown
        if (thrown instanceof Refused && thrown.code === 'history_changed') {
          isOther = true
          this.#screen.line(`  (${thrown.message})`)
          this.requests.forget()
          continue
        }
      }
      if (signal.aborted) return
      if (this.#lostAt === undefined) this.#screen.line(`  ${cliWords.connectionLost()}`)
      this.#lostAt ??= Date.now()
      if (Date.now() - this.#lostAt > this.#patienceMs) throw gone(this.#patienceMs, thread)
      await sleep(pauseMs, undefined, { signal }).catch(() => {})
    }
  }

  #show(event: ToldEvent): void {
    const about = 'request_id' in event.data ? this.requests.find(event.data.request_id) : undefined
    if (event.event_id !== undefined) {
      // After a lost connection nothing is shown twice.
      if (event.event_id <= this.#lastEvent) return
      this.#lastEvent = event.event_id
      this.requests.note(event)
      this.#note(event)
    }
    if (!this.#isOwn(event)) this.#screen.show(event, about)
    if (this.#lastEvent >= this.#openedAt) this.requests.add(this.#waited.splice(0), this.#openedAt - history)
    this.requests.showNext()
    if (this.#lastEvent >= this.#openedAt) this.#caughtUp.resolve()
  }

  /** Keeps whether a turn is running. */
  #note(event: SessionEvent): void {
    if (event.event_id <= this.#openedAt) return
    if (event.type === 'start') this.#busy()
    const isAnswer = event.type === 'message' && event.data.role === 'assistant' && event.data.turn_id === undefined
    if (endsStream(event.type) || isAnswer) this.#rest()
    if (event.type !== 'permission_voted') return
    this.#votedOn.add(event.data.request_id)
    if (this.#voting === event.data.request_id) this.#rest()
  }

  #busy(): void {
    if (!this.#isBusy) this.#settled = Promise.withResolvers<void>()
    this.#isBusy = true
  }

  #rest(): void {
    this.#voting = undefined
    this.#isBusy = false
    this.#settled.resolve()
  }

  #isOwn(event: ToldEvent): boolean {
    if (event.type !== 'message' || event.data.role !== 'user') return false
    return this.#takeOwn(event.data.text)
  }

  #takeOwn(text: string): boolean {
    const place = this.#own.indexOf(text)
    if (place >= 0) this.#own.splice(place, 1)
    return place >= 0
  }
}

const gone = (patienceMs: number, thread: string): Failure =>
  new Failure(
    'unreachable',
    cliWords.unreachable({ minutes: Math.round(patienceMs / 60_000) }),
    cliWords.unreachableRemedy({ thread }),
  )

const nothingCame = (patienceMs: number): Failure =>
  new Failure(
    'nothing_came',
    cliWords.nothingCame({ minutes: Math.round(patienceMs / 60_000) }),
    cliWords.nothingCameRemedy(),
  )
