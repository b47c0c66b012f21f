import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { Unavailable } from '../kit/failure.ts'
import type { Store } from '../store/store.ts'
import { findToken, noteTokenUse } from '../store/tokens.ts'
import { ApiError } from './errors.ts'
import { Guesses } from './guesses.ts'
import type { ConsoleTokens } from './security.ts'
import { apiWords } from './words.ts'

/** How long a token counts as valid without a look at the database: a revoked one works that much longer, ms. */
const trustedMs = 3_000

/** How exactly the last use is noted, ms. */
const usedWithinMs = 3_600_000

const mostKnown = 1_000

/** Whether a token is valid, for the guard. */
export const signInWith = (store: Store): ConsoleTokens => new SignIn(store)

/** Looks tokens up, and stops whoever tries many. */
class SignIn implements ConsoleTokens {
  /** Tokens by their hash, with the time until which they count. */
  readonly #valid = new Map<string, number>()
  readonly #guesses = new Guesses()
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  /**
   * Throws 429 when this address has sent too many wrong ones. One in force is never held up: nobody guesses it, and
   * behind a proxy its owner has the address of those who guess.
   */
  async isValid(context: Context, value: string): Promise<boolean> {
    if (value === '') return false
    if (await this.isInForce(value)) return true
    const address = addressOf(context)
    const hash = hashOf(value)
    if (this.#guesses.isKnown(address, hash)) return false
    const wait = this.#guesses.waitFor(address)
    if (wait > 0) {
      context.header('Retry-After', String(wait))
      throw new ApiError(429, 'too_many_guesses', apiWords.tooManyGuesses(), apiWords.tooManyGuessesRemedy({ wait }))
    }
    this.#guesses.wrong(address, hash)
    return false
  }

  async isInForce(value: string): Promise<boolean> {
    const key = hashOf(value)
    if ((this.#valid.get(key) ?? 0) > Date.now()) return true
    const token = await findToken(this.#store.db, value)
    if (token === undefined) {
      this.#valid.delete(key)
      return false
    }
    if (this.#valid.size >= mostKnown) this.#valid.clear()
    this.#valid.set(key, Date.now() + trustedMs)
    if (Date.now() - (token.usedAt ?? 0) > usedWithinMs) await this.#noteUse(token.id)
    return true
  }

  /** During an outage, the console is where people read what is wrong. */
  async #noteUse(id: string): Promise<void> {
    try {
      await this.#store.transaction((tx) => noteTokenUse(tx, id), { isUrgent: false })
    } catch (thrown) {
      if (!(thrown instanceof Unavailable)) throw thrown
    }
  }
}

const hashOf = (value: string): string => createHash('sha256').update(value).digest('hex')

/** Behind a proxy, all come from the same. */
const addressOf = (context: Context): string => context.env?.incoming?.socket?.remoteAddress ?? ''
