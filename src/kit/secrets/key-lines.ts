import { beginsPrivateKey, isKeyLine, privateKeyKind } from './private-keys.ts'
import { maskOf } from './secrets.ts'

/** The longest keys have some 250 lines. */
const mostLines = 400

/**
 * For texts of which only a part is shown. It is told all lines of a text, in their order, and masks those of a private
 * key that began in an earlier one: by itself, such a line looks like any other data.
 */
export class KeyLines {
  #left = 0

  masked(line: string): string {
    const isInside = this.#left > 0 && isKeyLine(line)
    this.#left = beginsPrivateKey(line) ? mostLines : isInside ? this.#left - 1 : 0
    return isInside && line.trim() !== '' ? maskOf(privateKeyKind) : line
  }

  /** The same for the lines of the part that is shown: a key that begins there is recognised with it. */
  rest(line: string): string {
    if (beginsPrivateKey(line)) this.#left = 0
    return this.#left > 0 ? this.masked(line) : line
  }
}

/** How many lines above a part decide whether it begins within a private key. */
export const keyLinesAbove = mostLines
