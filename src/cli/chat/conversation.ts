import { randomUUID } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endsStream, type SessionEvent, type ToldEvent } from '../../domain/events.ts'
import { Failure, reasonOf } from '../../kit/failure.ts'
import { sizeWords } from '../../kit/text/shown.ts'
import { oneLine } from '../../kit/text/text.ts'
import { cliWords } from '../words.ts'
import { Requests } from './requests.ts'
import { saveFile } from './save-file.ts'
import type { Screen } from './screen.ts'
import { Refused, type Server } from './server.ts'
import { answerOf, askedText, plain } from './shown.ts'
import { chatHelp, typed } from './typed.ts'
import type { Begun } from './typed-lines.ts'

const firstPauseMs = 300
const longestPauseMs = 5_000
/** The latest events of a thread that is opened again. */
const history = 200

/** One thread, as somebody at a terminal reads and writes it. */
export class Conversation {
  readonly #server: Server
  readonly #screen: Screen
  readonly #project: string | undefined
  readonly #leaving = new AbortController()
  #thread: string | undefined
  #lastEvent = 0
  /** The last event that was there when the thread was opened: what ended by then ends nothing now. */
  #openedAt = 0
  readonly #requests: Requests
  readonly #files: string[] = []
  /** Sent from here, so they aren't shown again. */
  readonly #own: string[] = []
  #unsent: { text: string; files: string[]; key: string } | undefined
  /** A line that wasn't sent, because another request was shown when it was begun. */
  #held: { text: string; request: string | undefined } | undefined
  /** What was answered last, if nothing ran then. */
  #voting: string | undefined
  /** Requests of which a vote was shown. */
  readonly #votedOn = new Set<string>()
  /** Whether its events can't be followed any more. */
  #hasLost = false
  /** Whether something that a line asked for wasn't done. */
  #hasFailed = false
  #isBusy = false
  #settled = Promise.withResolvers<void>()

  constructor(server: Server, screen: Screen, project: string | undefined) {
    this.#server = server
    this.#screen = screen
    this.#project = project
    this.#requests = new Requests((asked) => screen.line(askedText(asked)))
  }

  get thread(): string | undefined {
    return this.#thread
  }

  get isBusy(): boolean {
    return this.#isBusy
  }

  /**
   * Whether a line couldn't be sent or done, the thread waits for an answer that only a person can give, or nobody
   * knows what becomes of it.
   */
  get isUnfinished(): boolean {
    return this.#hasFailed || this.#unsent !== undefined || this.#hasLost || this.#requests.areOpen
  }

  /** The request that is shown above the prompt. */
  get shownRequest(): string | undefined {
    return this.#requests.shown
  }

  /** Resolves when no turn is running: the thread rests, or waits for a person. */
  settled = (): Promise<void> => (this.#isBusy ? this.#settled.promise : Promise.resolve())

  leave = (): void => this.#leaving.abort()

  /** Shows the end of a thread that is there already, and follows it. */
  async open(id: string): Promise<void> {
    const { id: thread, title, last_sequence, state } = await this.#server.thread(id)
    this.#screen.line(`Thread ${thread}: ${plain(title)}`)
    this.#openedAt = last_sequence
    this.#lastEvent = Math.max(0, last_sequence - history)
    this.#isBusy = ['thinking', 'acting', 'observing', 'retrying'].includes(state)
    this.#follow(thread)
  }

  #follow(thread: string): void {
    this.#thread = thread
    this.#hasLost = false
    void this.#hear(thread).catch((thrown) => {
      this.#hasLost = true
      this.#screen.line(failureText(thrown))
      // Nobody would hear any more that the turn ends.
      this.#rest()
    })
  }

  /** Follows the events; a lost connection goes on after the last one. */
  async #hear(thread: string): Promise<void> {
    const { signal } = this.#leaving
    let isLost = false
    for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
      const connected = () => {
        pauseMs = firstPauseMs
        if (isLost) this.#screen.line('  (Connected again.)')
        isLost = false
      }
      try {
        for await (const event of this.#server.events(thread, this.#lastEvent, signal, connected)) this.#show(event)
      } catch (thrown) {
        if (signal.aborted) return
        // Whoever may not read the thread is told so again; what else fails, such as a proxy while the bot restarts,
        // passes.
        if (thrown instanceof Refused && [401, 403, 404].includes(thrown.status)) throw thrown
      }
      if (signal.aborted) return
      if (!isLost) this.#screen.line(`  ${cliWords.connectionLost()}`)
      isLost = true
      await sleep(pauseMs, undefined, { signal }).catch(() => {})
    }
  }

  #show(event: ToldEvent): void {
    const about = 'request_id' in event.data ? this.#requests.find(event.data.request_id) : undefined
    if (event.event_id !== undefined) {
      // After a lost connection nothing is shown twice.
      if (event.event_id <= this.#lastEvent) return
      this.#lastEvent = event.event_id
      this.#requests.note(event)
      this.#note(event)
    }
    if (!this.#isOwn(event)) this.#screen.show(event, about)
    this.#requests.showNext()
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
    const place = this.#own.indexOf(event.data.text)
    if (place >= 0) this.#own.splice(place, 1)
    return place >= 0
  }

  /** Does what a line says. Returns whether to go on. */
  async enter(line: string, begun?: Begun): Promise<boolean> {
    try {
      return await this.#do(line, begun)
    } catch (thrown) {
      this.#fail(failureText(thrown))
      return true
    }
  }

  #fail(text: string): void {
    this.#hasFailed = true
    this.#screen.line(text)
  }

  async #do(line: string, begun: Begun | undefined): Promise<boolean> {
    const meant = typed(line)
    switch (meant.kind) {
      case 'quit':
        return false
      case 'help':
        this.#screen.line(chatHelp)
        return true
      case 'unclear':
        this.#fail(meant.about)
        return true
      case 'stop':
        await this.stop()
        return true
      case 'attach':
        this.#attach(meant.path)
        return true
      case 'files':
        await this.#list()
        return true
      case 'get':
        await this.#save(meant.path, meant.to ?? basename(meant.path))
        return true
      case 'say':
        if (line.startsWith('/') || this.#files.length > 0) await this.#say(meant.text)
        else await this.#sayOrAnswer(meant.text, begun)
        return true
    }
  }

  async #sayOrAnswer(text: string, begun: Begun | undefined): Promise<void> {
    const request = this.#requests.shown
    const isBlank = text.trim() === ''
    // Whoever typed it had another request in view, or none.
    if (begun !== undefined && begun.request !== request) return isBlank ? this.#screen.prompt() : this.#hold(text)
    const held = this.#held
    this.#held = undefined
    const said = isBlank && held !== undefined && held.request === request ? held.text : text
    const asked = request === undefined ? undefined : this.#requests.find(request)
    if (request === undefined || asked === undefined) return this.#say(said)
    return said.trim() === '' ? this.#screen.prompt() : this.#answer(request, answerOf(asked, said))
  }

  #hold(text: string): void {
    this.#held = { text, request: this.#requests.shown }
    this.#screen.line(`  ${cliWords.lineHeldBack({ line: plain(oneLine(text, 100)) })}`)
  }

  async #answer(request: string, answer: object): Promise<void> {
    // Nothing goes on with one vote of several.
    if (!this.#isBusy) this.#voting = request
    this.#busy()
    try {
      const waits = await this.#server.answer(request, answer)
      // The same vote again is told by no event.
      if (waits && this.#voting === request && this.#votedOn.has(request)) this.#rest()
    } catch (thrown) {
      this.#rest()
      throw thrown
    }
  }

  async #say(text: string): Promise<void> {
    const repeated = text.trim() === '' && this.#files.length === 0 ? this.#unsent : undefined
    const message = repeated ?? { text, files: this.#files.splice(0), key: randomUUID() }
    if (message.text.trim() === '' && message.files.length === 0) return this.#screen.prompt()
    await this.#send(message)
  }

  async #send(message: { text: string; files: string[]; key: string }): Promise<void> {
    // Nothing sends the earlier one any more.
    if (this.#unsent !== undefined && this.#unsent !== message) this.#hasFailed = true
    this.#unsent = message
    this.#own.push(message.text.trim())
    this.#busy()
    try {
      const place = { conversation: this.#thread, project: this.#project, key: message.key }
      const thread = await this.#server.send(message.text, message.files, place)
      this.#unsent = undefined
      if (this.#thread === undefined || this.#hasLost) this.#follow(thread)
    } catch (thrown) {
      this.#rest()
      this.#screen.line(cliWords.sendingFailed({ reason: failureText(thrown) }))
    }
  }

  async stop(): Promise<void> {
    const { stopped } = this.#thread === undefined ? { stopped: false } : await this.#server.stop(this.#thread)
    if (!stopped) this.#screen.line(`  ${cliWords.nothingRunning()}`)
  }

  #attach(path: string): void {
    const file = path.replace(/^~(?=\/)/, process.env.HOME ?? '~')
    if (!existsSync(file) || !statSync(file).isFile())
      throw new Failure('no_file', cliWords.noSuchFile({ path }), cliWords.noSuchFileRemedy())
    this.#files.push(file)
    this.#screen.line(`  ${plain(basename(file))} (${sizeWords(statSync(file).size)}) goes with your next message.`)
  }

  async #list(): Promise<void> {
    const files = this.#thread === undefined ? [] : await this.#server.files(this.#thread)
    const lines = files.map(({ path, size }) => `  ${plain(path)} (${sizeWords(size)})`)
    this.#screen.line(lines.join('\n') || `  ${cliWords.noFiles()}`)
  }

  async #save(path: string, to: string): Promise<void> {
    if (this.#thread === undefined) return this.#fail(`  ${cliWords.noFiles()}`)
    const target = await saveFile(this.#server, this.#thread, path, to)
    this.#screen.line(`  ${cliWords.savedAs({ target: plain(target) })}`)
  }
}

const failureText = (thrown: unknown): string =>
  plain(thrown instanceof Failure ? `! ${thrown.message} ${thrown.remedy}`.trim() : `! ${reasonOf(thrown)}`)
