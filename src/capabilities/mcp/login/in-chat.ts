import { randomInt } from 'node:crypto'
import type { Config } from '../../../config/config.ts'
import type { Person } from '../../../domain/chat.ts'
import { Failure, reasonOf } from '../../../kit/failure.ts'
import type { McpSettings } from '../settings.ts'
import { isSame } from './callback.ts'
import { notYetKept } from './kept.ts'
import { logIn, longestMs } from './log-in.ts'
import { loginOf, type Named } from './login-of.ts'

interface Pending {
  person: Person
  code: string
  tries: number
  over: AbortController
  /** Settles soon after the browser has come back and shows the number. */
  done: Promise<{ failure?: unknown }>
  keep(): Promise<void>
}

const mostTries = 3

/**
 * Logins that begin in a thread. Others can read the address there and open it, so a login counts only once the person
 * who asked for it says the number that the browser shows at its end.
 */
export class ChatLogins {
  readonly #config: Pick<Config, 'dataDir' | 'variables'>
  readonly #settings: McpSettings
  readonly #pending = new Map<string, Pending>()

  constructor(config: Pick<Config, 'dataDir' | 'variables'>, settings: McpSettings) {
    this.#config = config
    this.#settings = settings
  }

  /** Returns the address to open; undefined if no login is needed. Throws `mcp_login`. */
  async begin(named: Named, person: Person): Promise<URL | undefined> {
    this.stop(named.name)
    const over = new AbortController()
    const code = String(randomInt(100_000, 1_000_000))
    const kept = notYetKept(loginOf(named, this.#config, this.#settings).login.kept)
    const shown = Promise.withResolvers<URL>()
    const told = `Almost there. Now say this in the thread, within ${longestMs / 60_000} minutes: <b>mcp login ${named.name} ${code}</b>`
    const signal = AbortSignal.any([over.signal, AbortSignal.timeout(longestMs)])
    const running = logIn(named, this.#config, this.#settings, { kept, told, signal, show: shown.resolve })
    const done = running.then(
      () => ({}),
      (failure: unknown) => ({ failure }),
    )
    const pending = { person, code, tries: 0, over, done, keep: kept.keep }
    const url = await Promise.race([shown.promise, running.then(() => undefined)])
    if (url === undefined) return undefined
    this.#pending.set(named.name, pending)
    setTimeout(() => this.#drop(named.name, pending), longestMs).unref()
    return url
  }

  /** The person says the number. Throws `mcp_login` if it isn't theirs, or if the login failed. */
  async confirm(name: string, person: Person, code: string): Promise<void> {
    const pending = this.#pending.get(name)
    if (pending === undefined || pending.person.id !== person.id)
      throw new Failure('mcp_login', `You have begun no login to ${name}.`, `Say \`mcp login ${name}\`.`)
    if (!isSame(code, pending.code)) {
      if (++pending.tries >= mostTries) this.stop(name)
      throw new Failure('mcp_login', 'This isn’t the number that your browser shows once you have logged in.', '')
    }
    this.#pending.delete(name)
    const { failure } = await pending.done
    if (failure !== undefined) throw new Failure('mcp_login', `The login failed: ${reasonOf(failure)}`, 'Try again.')
    await pending.keep()
  }

  stop(name: string): void {
    const pending = this.#pending.get(name)
    if (pending !== undefined) this.#drop(name, pending)
  }

  stopAll(): void {
    for (const name of [...this.#pending.keys()]) this.stop(name)
  }

  #drop(name: string, pending: Pending): void {
    pending.over.abort()
    if (this.#pending.get(name) === pending) this.#pending.delete(name)
  }
}
