import { randomUUID } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { Failure } from '../../kit/failure.ts'
import { sizeWords } from '../../kit/text/shown.ts'
import { oneLine } from '../../kit/text/text.ts'
import { cliWords } from '../words.ts'
import { answerOf } from './answer-typed.ts'
import type { Following } from './following.ts'
import type { Requests } from './requests.ts'
import { saveFile } from './save-file.ts'
import type { Screen } from './screen.ts'
import type { Server } from './server.ts'
import { failureText, plain } from './shown.ts'
import { chatHelp, typed } from './typed.ts'
import type { Begun } from './typed-lines.ts'

interface Unsent {
  text: string
  files: string[]
  key: string
  /** The last event that may have told of a question that it answers; undefined in a script. */
  seen: number | undefined
}

/** One thread, as somebody at a terminal writes in it: does what each line says. */
export class Conversation {
  readonly #server: Server
  readonly #screen: Screen
  readonly #project: string | undefined
  readonly #following: Following
  readonly #files: string[] = []
  #unsent: Unsent | undefined
  /** A line that wasn't sent, because another request was shown when it was begun. */
  #held: { text: string; request: string | undefined } | undefined
  /** Whether something that a line asked for wasn't done. */
  #hasFailed = false
  readonly #left = new Failure('left', cliWords.leftBeforeAnswer(), '')

  constructor(server: Server, screen: Screen, following: Following, project: string | undefined) {
    this.#server = server
    this.#screen = screen
    this.#following = following
    this.#project = project
  }

  get #thread(): string | undefined {
    return this.#following.thread
  }

  get #requests(): Requests {
    return this.#following.requests
  }

  /**
   * Whether a line couldn't be sent or done, the thread waits for an answer that only a person can give, or nobody
   * knows what becomes of it.
   */
  get isUnfinished(): boolean {
    return this.#hasFailed || this.#unsent !== undefined || this.#following.hasLost || this.#requests.areOpen
  }

  /** Waits for no answer to what is under way. */
  leave(): void {
    this.#server.abandon(this.#left)
  }

  /** Does what a line says. Returns whether to go on. */
  async enter(line: string, begun?: Begun): Promise<boolean> {
    try {
      return await this.#do(line, begun)
    } catch (thrown) {
      this.#fail(failureText(thrown))
      // Whoever has left sends nothing more.
      return thrown !== this.#left
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
        await this.#stop()
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
        if (meant.aside) await this.#say(meant.text, 0)
        else if (line.startsWith('/') || this.#files.length > 0) await this.#say(meant.text, this.#seen(begun))
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
    if (request === undefined || asked === undefined) return this.#say(said, this.#seen(begun))
    if (said.trim() === '') return this.#screen.prompt()
    const answer = answerOf(asked, said)
    return answer === undefined ? this.#fail(`! ${cliWords.noAlways()}`) : this.#answer(request, answer)
  }

  /** The number of the request that was shown when a line was begun. A script means whatever waits. */
  #seen = (begun: Begun | undefined): number | undefined =>
    begun === undefined ? undefined : this.#requests.numberOf(begun.request)

  #hold(text: string): void {
    this.#held = { text, request: this.#requests.shown }
    this.#screen.line(`  ${cliWords.lineHeldBack({ line: plain(oneLine(text, 100)) })}`)
  }

  #answer = (request: string, answer: object): Promise<void> =>
    this.#following.answering(request, () => this.#server.answer(request, answer))

  async #say(text: string, seen: number | undefined): Promise<void> {
    const repeated = text.trim() === '' && this.#files.length === 0 ? this.#unsent : undefined
    const message = repeated ?? { text, files: this.#files.splice(0), key: randomUUID(), seen }
    if (message.text.trim() === '' && message.files.length === 0) return this.#screen.prompt()
    await this.#send(message)
  }

  async #send(message: Unsent): Promise<void> {
    // Nothing sends the earlier one any more.
    if (this.#unsent !== undefined && this.#unsent !== message) this.#hasFailed = true
    this.#unsent = message
    const { key, seen } = message
    const place = { conversation: this.#thread, project: this.#project, key, seen }
    try {
      await this.#following.sending(message.text.trim(), () => this.#server.send(message.text, message.files, place))
      this.#unsent = undefined
    } catch (thrown) {
      if (thrown === this.#left) throw thrown
      this.#screen.line(cliWords.sendingFailed({ reason: failureText(thrown) }))
    }
  }

  async #stop(): Promise<void> {
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
    const list = this.#thread === undefined ? undefined : await this.#server.files(this.#thread)
    const lines = (list?.files ?? []).map(({ path, size }) => `  ${plain(path)} (${sizeWords(size)})`)
    if (list?.has_more) lines.push(`  ${cliWords.moreFiles()}`)
    this.#screen.line(lines.join('\n') || `  ${cliWords.noFiles()}`)
  }

  async #save(path: string, to: string): Promise<void> {
    if (this.#thread === undefined) return this.#fail(`  ${cliWords.noFiles()}`)
    const target = await saveFile(this.#server, this.#thread, path, to)
    this.#screen.line(`  ${cliWords.savedAs({ target: plain(target) })}`)
  }
}
