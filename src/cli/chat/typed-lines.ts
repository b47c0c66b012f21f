import type { Interface, Key } from 'node:readline'

/** Which request was shown when a line was begun; none if it was a message. */
export interface Begun {
  request: string | undefined
}

export interface TypedLine {
  text: string
  /** Missing in a script, whose lines are all there before anything is asked. */
  begun: Begun | undefined
}

/**
 * Whole messages: a line that ends with a backslash goes on, and so does one that is pasted with others. Listens from
 * the beginning, because what is typed before that is lost.
 */
export class TypedLines {
  readonly #pieces: AsyncIterable<string>
  readonly #entered: { begun: Begun; isPasted: boolean }[] = []
  readonly #prompt: () => void
  readonly #isScript: boolean
  #current: Begun | undefined
  #isPasting = false
  /** The lines of the message that is being written. */
  #before = ''
  #begun: Begun | undefined

  /** `keys`: where a person types; undefined for a script. */
  constructor(
    lines: Interface,
    keys: NodeJS.ReadableStream | undefined,
    { shown, prompt }: { shown: () => string | undefined; prompt: () => void },
  ) {
    this.#pieces = lines[Symbol.asyncIterator]()
    this.#prompt = prompt
    this.#isScript = keys === undefined
    if (keys === undefined) return
    // Readline hears each key first, so its line has the key already.
    keys.on('keypress', (_text, { name }: Key) => {
      if (name === 'paste-start' || name === 'paste-end') this.#isPasting = name === 'paste-start'
      this.#current = lines.line === '' ? undefined : (this.#current ?? { request: shown() })
    })
    lines.on('line', () => {
      this.#entered.push({ begun: this.#current ?? { request: shown() }, isPasted: this.#isPasting })
      this.#current = undefined
    })
  }

  /** Drops the lines that wait for the rest of their message. False if none do. */
  drop(): boolean {
    const had = this.#before !== ''
    this.#before = ''
    this.#begun = undefined
    return had
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TypedLine> {
    for await (const piece of this.#pieces) {
      const { begun, isPasted = false } = this.#entered.shift() ?? {}
      this.#begun ??= begun
      if (isPasted || piece.endsWith('\\')) {
        this.#before += `${isPasted ? piece : piece.slice(0, -1)}\n`
        this.#prompt()
        continue
      }
      const line = { text: this.#before + piece, begun: this.#begun }
      this.drop()
      yield line
    }
    // Nothing goes on here, so the last backslash is part of the message. At a terminal, Ctrl-D discards it.
    if (this.#isScript && this.#before !== '') yield { text: this.#before.replace(/\n$/, '\\'), begun: undefined }
  }
}
