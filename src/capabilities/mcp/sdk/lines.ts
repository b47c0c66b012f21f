/** Cuts what comes into lines, without copying a long one again and again. */
export class Lines {
  readonly #mostBytes: number
  #parts: Buffer[] = []
  #bytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  push(bytes: Buffer): string[] | 'too-long' {
    const lines: string[] = []
    let from = 0
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      lines.push(Buffer.concat([...this.#parts, bytes.subarray(from, end)]).toString())
      this.#parts = []
      this.#bytes = 0
      from = end + 1
    }
    const rest = bytes.subarray(from)
    this.#bytes += rest.length
    if (this.#bytes > this.#mostBytes) return 'too-long'
    if (rest.length > 0) this.#parts.push(rest)
    return lines
  }
}
