import { countBadBytes, wholeCharacters } from './plain-text.ts'

export interface Line {
  /** From 1. */
  number: number
  /** Its beginning, if it is longer than what is kept. */
  text: string
  /** Bytes of the whole line. */
  bytes: number
  cut: boolean
  badBytes: number
}

const lineFeed = 10

/** Splits UTF-8 that comes in pieces into lines and keeps only what is wanted, so that no file is too large for it. */
export class LineSplitter {
  /** Lines that have ended so far. */
  count = 0
  readonly #from: number
  readonly #keepBytes: number
  #kept: Buffer[] = []
  #keptBytes = 0
  #bytes = 0

  /** Lines before `from` are only counted. `keepBytes` of each line are kept. */
  constructor(from: number, keepBytes: number) {
    this.#from = from
    this.#keepBytes = keepBytes
  }

  push(piece: Buffer): Line[] {
    const lines: Line[] = []
    let start = 0
    for (let end = piece.indexOf(lineFeed); end >= 0; end = piece.indexOf(lineFeed, start)) {
      this.#keep(piece, start, end)
      this.#endLine(lines)
      start = end + 1
    }
    this.#keep(piece, start, piece.length)
    return lines
  }

  /** The last line, if the text doesn't end with a line end. */
  finish(): Line[] {
    const lines: Line[] = []
    if (this.#bytes > 0) this.#endLine(lines)
    return lines
  }

  #keep(piece: Buffer, start: number, end: number): void {
    this.#bytes += end - start
    const room = Math.min(end - start, this.#keepBytes - this.#keptBytes)
    if (room <= 0 || this.count + 1 < this.#from) return
    this.#kept.push(piece.subarray(start, start + room))
    this.#keptBytes += room
  }

  #endLine(lines: Line[]): void {
    this.count++
    if (this.count >= this.#from) lines.push(this.#line())
    this.#kept = []
    this.#keptBytes = 0
    this.#bytes = 0
  }

  #line(): Line {
    // A file may consist of line ends only.
    if (this.#bytes === 0) return { number: this.count, text: '', bytes: 0, cut: false, badBytes: 0 }
    const whole = this.#kept.length === 1 && this.#kept[0] ? this.#kept[0] : Buffer.concat(this.#kept)
    const cut = this.#bytes > whole.length
    const bytes = cut ? wholeCharacters(whole) : whole
    const text = bytes.toString()
    const line = { number: this.count, bytes: this.#bytes, cut, badBytes: countBadBytes(bytes, text) }
    return { ...line, text: !cut && text.endsWith('\r') ? text.slice(0, -1) : text }
  }
}
