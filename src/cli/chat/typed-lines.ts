import type { Interface } from 'node:readline'

/** Which request was shown when a line was begun; none if it was a message. */
export interface Begun {
  request: string | undefined
}

export interface TypedLine {
  text: string
  /** Missing in a script, whose lines are all there before anything is asked. */
  begun: Begun | undefined
}

/** Whole lines: one that ends with a backslash goes on. Listens from the beginning, because what is typed before that is lost. */
export class TypedLines {
  readonly #pieces: AsyncIterable<string>
  readonly #begun: Begun[] = []
  readonly #prompt: () => void
  #current: Begun | undefined

  /** `keys`: where a person types; undefined for a script. */
  constructor(
    lines: Interface,
    keys: NodeJS.ReadableStream | undefined,
    { shown, prompt }: { shown: () => string | undefined; prompt: () => void },
  ) {
    this.#pieces = lines[Symbol.asyncIterator]()
    this.#prompt = prompt
    if (keys === undefined) return
    // Readline hears each key first, so its line has the key already.
    keys.on('keypress', () => {
      this.#current = lines.line === '' ? undefined : (this.#current ?? { request: shown() })
    })
    lines.on('line', () => {
      this.#begun.push(this.#current ?? { request: shown() })
      this.#current = undefined
    })
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TypedLine> {
    let before = ''
    let begun: Begun | undefined
    for await (const piece of this.#pieces) {
      const now = this.#begun.shift()
      begun ??= now
      if (piece.endsWith('\\')) {
        before += `${piece.slice(0, -1)}\n`
        this.#prompt()
        continue
      }
      yield { text: before + piece, begun }
      before = ''
      begun = undefined
    }
  }
}
