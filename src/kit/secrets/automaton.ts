export interface Match {
  needle: number
  start: number
  end: number
}

const newline = (code: number): boolean => code === 10 || code === 13
/** More line breaks in a row than this end a match that has begun. */
const maxBreaks = 4
const ellipsis = '…'.charCodeAt(0)

/**
 * The Aho–Corasick automaton: finds all needles in one pass, in time linear in the text, and knows at the end how much
 * of a needle has begun. Line breaks in the text are skipped, since tools wrap long lines. Before `…`, where a text was
 * cut, the beginning of a needle is enough.
 */
export class Automaton {
  readonly #needles: string[]
  readonly #isEnough: (beginning: string, needle: string) => boolean
  /** Of each state: the character that leads to it, its first child, the next child of its parent. 0 is the root. */
  readonly #letter: Uint16Array
  readonly #child: Int32Array
  readonly #sibling: Int32Array
  readonly #depth: Int32Array
  /** The state of its longest suffix that begins another needle. */
  readonly #fallback: Int32Array
  /** The longest needle that ends in a state, or -1. */
  readonly #found: Int32Array
  /** A needle that leads through a state. */
  readonly #through: Int32Array
  /** The root's children by their characters. */
  readonly #first = new Int32Array(65_536)

  /** Line breaks in the needles do not count. `isEnough`: whether a beginning before `…` is a match. */
  constructor(needles: string[], isEnough: (beginning: string, needle: string) => boolean) {
    this.#isEnough = isEnough
    this.#needles = needles.map((needle) => needle.replace(/[\r\n]/g, ''))
    const size = this.#needles.reduce((sum, { length }) => sum + length, 1)
    this.#letter = new Uint16Array(size)
    this.#child = new Int32Array(size)
    this.#sibling = new Int32Array(size)
    this.#depth = new Int32Array(size)
    this.#fallback = new Int32Array(size)
    this.#found = new Int32Array(size).fill(-1)
    this.#through = new Int32Array(size)
    this.#grow()
    this.#link()
  }

  /**
   * Matches in the order of their ends, and where an unfinished match starts (the length of the text if there is none).
   */
  scan(text: string): { matches: Match[]; begun: number } {
    const matches: Match[] = []
    let state = 0
    let breaks = 0
    const add = (needle: number, length: number, end: number) =>
      matches.push({ needle, start: back(text, end, length), end })
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (newline(code)) {
        if (++breaks > maxBreaks) state = 0
        continue
      }
      breaks = 0
      if (code === ellipsis && this.#isCutOne(state)) add(this.#through[state] ?? 0, this.#depth[state] ?? 0, at)
      state = this.#next(state, code)
      const needle = this.#found[state] ?? -1
      if (needle !== -1) add(needle, this.#lengthOf(needle), at + 1)
    }
    const begun = this.#depth[state] ?? 0
    return { matches, begun: back(text, text.length, begun) }
  }

  #isCutOne(state: number): boolean {
    const needle = this.#needles[this.#through[state] ?? 0] ?? ''
    return this.#isEnough(needle.slice(0, this.#depth[state]), needle)
  }

  #lengthOf(needle: number): number {
    return this.#needles[needle]?.length ?? 0
  }

  #grow(): void {
    let states = 1
    for (const [id, text] of this.#needles.entries()) {
      let state = 0
      for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at)
        let child = this.#childOf(state, code)
        if (child === 0) {
          child = states++
          this.#letter[child] = code
          this.#depth[child] = at + 1
          this.#through[child] = id
          this.#sibling[child] = this.#child[state] ?? 0
          this.#child[state] = child
          if (state === 0) this.#first[code] = child
        }
        state = child
      }
      if (state !== 0) this.#found[state] = id
    }
  }

  #link(): void {
    const queue = [0]
    for (const state of queue) {
      for (let child = this.#child[state] ?? 0; child !== 0; child = this.#sibling[child] ?? 0) {
        const other = state === 0 ? 0 : this.#next(this.#fallback[state] ?? 0, this.#letter[child] ?? 0)
        this.#fallback[child] = other
        if (this.#found[child] === -1) this.#found[child] = this.#found[other] ?? -1
        queue.push(child)
      }
    }
  }

  /** If a needle doesn't continue, another one that has begun within it may. */
  #next(from: number, code: number): number {
    let state = from
    let child = this.#childOf(state, code)
    while (child === 0 && state !== 0) {
      state = this.#fallback[state] ?? 0
      child = this.#childOf(state, code)
    }
    return child
  }

  #childOf(state: number, code: number): number {
    if (state === 0) return this.#first[code] ?? 0
    let child = this.#child[state] ?? 0
    while (child !== 0 && this.#letter[child] !== code) child = this.#sibling[child] ?? 0
    return child
  }
}

/** The place `count` characters before `end`, not counting line breaks. */
function back(text: string, end: number, count: number): number {
  let at = end
  for (let left = count; left > 0 && at > 0; at--) if (!newline(text.charCodeAt(at - 1))) left--
  return count === 0 ? text.length : at
}
