export interface Match {
  needle: number
  start: number
  end: number
}

const newline = (code: number): boolean => code === 10 || code === 13
/** More line breaks in a row than this end a match that has begun. */
const maxBreaks = 4

/**
 * The Aho–Corasick automaton: finds all needles in one pass, in time linear in the text, and knows at the end how much
 * of a needle has begun. Line breaks in the text are skipped, since tools wrap long lines.
 */
export class Automaton {
  readonly #needles: string[]
  readonly #classes = new Map<number, number>()
  /** The class of each ASCII character; 0 if no needle contains it. */
  readonly #ascii = new Uint16Array(128)
  readonly #width: number
  readonly #next: Int32Array
  readonly #depth: Int32Array
  /** The longest needle that ends in a state, or -1. */
  readonly #found: Int32Array

  /** Line breaks in the needles do not count. */
  constructor(needles: string[]) {
    this.#needles = needles.map((needle) => needle.replace(/[\r\n]/g, ''))
    let size = 1
    for (const text of this.#needles) {
      size += text.length
      for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at)
        if (!this.#classes.has(code)) this.#classes.set(code, this.#classes.size + 1)
      }
    }
    for (const [code, id] of this.#classes) if (code < 128) this.#ascii[code] = id
    this.#width = this.#classes.size + 1
    this.#depth = new Int32Array(size)
    this.#found = new Int32Array(size).fill(-1)
    const trie = new Int32Array(size * this.#width)
    const states = this.#grow(trie)
    this.#next = trie.slice(0, states * this.#width)
    this.#link(states)
  }

  /**
   * Matches in the order of their ends, and where an unfinished match starts (the length of the text if there is none).
   */
  scan(text: string): { matches: Match[]; begun: number } {
    const matches: Match[] = []
    let state = 0
    let breaks = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (newline(code)) {
        if (++breaks > maxBreaks) state = 0
        continue
      }
      breaks = 0
      state = this.#next[state * this.#width + this.#classOf(code)] ?? 0
      const needle = this.#found[state] ?? -1
      if (needle !== -1) matches.push({ needle, start: back(text, at + 1, this.#lengthOf(needle)), end: at + 1 })
    }
    return { matches, begun: back(text, text.length, this.#depth[state] ?? 0) }
  }

  #classOf(code: number): number {
    return code < 128 ? (this.#ascii[code] ?? 0) : (this.#classes.get(code) ?? 0)
  }

  #lengthOf(needle: number): number {
    return this.#needles[needle]?.length ?? 0
  }

  #grow(trie: Int32Array): number {
    let states = 1
    for (const [id, text] of this.#needles.entries()) {
      let state = 0
      for (let at = 0; at < text.length; at++) {
        const slot = state * this.#width + this.#classOf(text.charCodeAt(at))
        if (trie[slot] === 0) {
          this.#depth[states] = at + 1
          trie[slot] = states++
        }
        state = trie[slot] ?? 0
      }
      if (state !== 0) this.#found[state] = id
    }
    return states
  }

  /** If a needle doesn't continue, use the state of its longest suffix that begins another one. */
  #link(states: number): void {
    const fallback = new Int32Array(states)
    const queue = [0]
    for (const state of queue) {
      const other = fallback[state] ?? 0
      if (this.#found[state] === -1) this.#found[state] = this.#found[other] ?? -1
      for (let id = 0; id < this.#width; id++) {
        const slot = state * this.#width + id
        const beyond = state === 0 ? 0 : (this.#next[other * this.#width + id] ?? 0)
        const child = this.#next[slot] ?? 0
        if (child === 0) {
          this.#next[slot] = beyond
        } else {
          fallback[child] = beyond
          queue.push(child)
        }
      }
    }
  }
}

/** The place `count` characters before `end`, not counting line breaks. */
function back(text: string, end: number, count: number): number {
  let at = end
  for (let left = count; left > 0 && at > 0; at--) if (!newline(text.charCodeAt(at - 1))) left--
  return count === 0 ? text.length : at
}
