import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../../config/config.ts'
import type { Person } from '../../../domain/chat.ts'
import type { Clock } from '../../../kit/clock.ts'
import { Failure, reasonOf } from '../../../kit/failure.ts'
import type { Store } from '../../../store/store.ts'
import type { McpSettings } from '../settings.ts'
import { mcpWords } from '../words.ts'
import { begunAt, confirmBegun, hashOf, writeBegun } from './begun.ts'
import { notYetKept } from './kept.ts'
import { logIn, longestMs } from './log-in.ts'
import { loginOf, type Named } from './login-of.ts'
import { type Learn, teaching } from './teaching.ts'

/** One for whose browser this process waits. */
interface Pending {
  id: string
  named: Named
  over: AbortController
  /** Settles soon after the browser has come back and shows the number. */
  done: Promise<{ failure?: unknown }>
  keep(over: AbortSignal): Promise<void>
}

interface LoginDeps {
  config: Pick<Config, 'dataDir' | 'variables'>
  settings: McpSettings
  store: Store
  clock: Clock
  learn: Learn
  /** Called after a login for which this process has waited. */
  kept(named: Named): Promise<void>
}

type Whose = Pick<Named, 'name' | 'place'>

/** What a login is noted under. */
const keyOf = ({ name, place = '' }: Whose): string => (place === '' ? name : `${name} ${place}`)

/** How long a login may take once it is confirmed, and how often whoever confirmed it looks. */
const keptMs = 30_000
const askMs = 200

/**
 * Logins that begin in a thread. Others can read the address there and open it, so a login counts only once the person
 * who asked for it says the number that the browser shows at its end. Another process may hear that than the one to
 * which the browser comes back, so what is known of a login is in the database; its tokens are not.
 */
export class ChatLogins {
  readonly #deps: LoginDeps
  readonly #pending = new Map<string, Pending>()

  constructor(deps: LoginDeps) {
    this.#deps = deps
  }

  /** Returns the address to open; undefined if no login is needed. Throws `mcp_login`. */
  async begin(named: Named, person: Person): Promise<URL | undefined> {
    const { name } = named
    const key = keyOf(named)
    const { config, settings, store, clock, learn } = this.#deps
    this.#stop(key)
    const over = new AbortController()
    const id = randomUUID()
    const code = String(randomInt(100_000, 1_000_000))
    const kept = teaching(notYetKept(loginOf(named, config, settings, learn).login.kept), name, learn)
    const shown = Promise.withResolvers<URL>()
    const told = mcpWords.loginCodeShown({ minutes: longestMs / 60_000, name, code })
    const signal = AbortSignal.any([over.signal, AbortSignal.timeout(longestMs)])
    const running = logIn(named, config, settings, {
      kept,
      told,
      signal,
      show: shown.resolve,
      learn,
      mask: (text) => store.mask(text),
    })
    const done = running.then(
      () => ({}),
      (failure: unknown) => ({ failure }),
    )
    const url = await Promise.race([shown.promise, running.then(() => undefined)])
    if (url === undefined) return undefined
    const until = clock.now() + longestMs
    const begun = { id, person: person.id, hash: hashOf(id, code), tries: 0, until, state: 'open' as const, why: '' }
    await writeBegun(store, key, begun).catch((thrown) => {
      over.abort()
      throw thrown
    })
    const pending = { id, named, over, done, keep: kept.keep }
    this.#pending.set(key, pending)
    setTimeout(() => this.#drop(key, pending), longestMs).unref()
    return url
  }

  /** The person says the number. Throws `mcp_login` if it isn't theirs, or if the login failed. */
  async confirm(named: Whose, person: Person, code: string): Promise<void> {
    const { name } = named
    const key = keyOf(named)
    const { store, clock } = this.#deps
    const confirmed = await confirmBegun(store, key, person.id, code)
    if (confirmed.kind === 'none')
      throw new Failure('mcp_login', mcpWords.noLoginBegun({ name }), `Say \`mcp login ${name}\`.`)
    if (confirmed.kind === 'wrong') {
      await this.look()
      throw new Failure('mcp_login', mcpWords.wrongLoginCode(), '')
    }
    const end = clock.now() + keptMs
    for (;;) {
      await this.look()
      const begun = await begunAt(store, key)
      // It stays noted until its time is over, because the number may be delivered again.
      if (begun?.id === confirmed.id && begun.state === 'kept') return
      if (begun?.id !== confirmed.id || begun.state === 'failed' || clock.now() > end) {
        const why = begun?.why || 'it was given up'
        throw new Failure('mcp_login', mcpWords.loginFailed({ why }), mcpWords.tryAgainRemedy())
      }
      await sleep(askMs)
    }
  }

  /** Does what others have said about logins for which this process waits. */
  async look(): Promise<void> {
    const { store, kept } = this.#deps
    for (const [key, pending] of [...this.#pending]) {
      const begun = await begunAt(store, key)
      if (begun?.id !== pending.id) this.#drop(key, pending)
      else if (begun.state === 'confirmed' && this.#pending.delete(key)) {
        const why = await keep(pending)
        if (why === undefined) await kept(pending.named)
        const now = why === undefined ? { state: 'kept' as const } : { state: 'failed' as const, why: store.mask(why) }
        await store.availability.patiently(() => writeBegun(store, key, { ...begun, ...now }, begun.id))
      }
    }
  }

  stopAll(): void {
    for (const key of [...this.#pending.keys()]) this.#stop(key)
  }

  #stop(key: string): void {
    const pending = this.#pending.get(key)
    if (pending !== undefined) this.#drop(key, pending)
  }

  #drop(key: string, pending: Pending): void {
    pending.over.abort()
    if (this.#pending.get(key) === pending) this.#pending.delete(key)
  }
}

/** Keeps a login once the browser has come back. Resolves with why it failed, if it did. */
async function keep({ done, keep, over }: Pending): Promise<string | undefined> {
  // Whoever waits holds up their thread, and on PostgreSQL everything that this process hears of the others.
  const late = setTimeout(() => over.abort(new Error(mcpWords.loginUnanswered())), keptMs)
  try {
    const { failure } = await done
    if (failure !== undefined) throw failure
    await keep(over.signal)
    return undefined
  } catch (thrown) {
    // Whoever waits says that the login failed.
    return reasonOf(thrown instanceof Failure ? (thrown.cause ?? thrown) : thrown)
  } finally {
    clearTimeout(late)
  }
}
