/** What is sent between the bot and a reader: a message, and bytes that belong to it. */
export interface Frame {
  message: unknown
  bytes: Uint8Array<ArrayBuffer>
}

/** In bytes. A larger frame is refused before any of it is kept. */
export interface MostOfFrame {
  message: number
  bytes: number
}

/** A frame begins with the lengths of both, four bytes each. */
const headBytes = 8

export function frameOf(message: unknown, bytes: number): Uint8Array {
  const text = Buffer.from(JSON.stringify(message))
  const head = Buffer.alloc(headBytes)
  head.writeUInt32BE(text.length, 0)
  head.writeUInt32BE(bytes, 4)
  return Buffer.concat([head, text])
}

/** Ends where the stream ends, even within a frame. Throws if it isn't a frame, or too large. */
export async function* framesIn(
  stream: AsyncIterable<Uint8Array>,
  most: () => MostOfFrame,
): AsyncGenerator<Frame, undefined> {
  const source = new Source(stream)
  for (;;) {
    const head = await source.take(headBytes)
    if (head === undefined) return
    const view = new DataView(head.buffer)
    const [messageLength, bytesLength] = [view.getUint32(0), view.getUint32(4)]
    const { message, bytes } = most()
    if (messageLength > message || bytesLength > bytes) throw new Error('a frame is larger than it may be')
    const text = await source.take(messageLength)
    const rest = await source.take(bytesLength)
    if (text === undefined || rest === undefined) return
    yield { message: JSON.parse(Buffer.from(text.buffer).toString()), bytes: rest }
  }
}

class Source {
  readonly #stream: AsyncIterator<Uint8Array>
  #left: Uint8Array = new Uint8Array()

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#stream = stream[Symbol.asyncIterator]()
  }

  /** In a buffer of their own, since parsers pass it on. Undefined if the stream ends before. */
  async take(length: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const taken = new Uint8Array(length)
    for (let at = 0; at < length; ) {
      if (this.#left.length === 0) {
        const { done, value } = await this.#stream.next()
        if (done) return undefined
        this.#left = value
      }
      const part = this.#left.subarray(0, length - at)
      taken.set(part, at)
      at += part.length
      this.#left = this.#left.subarray(part.length)
    }
    return taken
  }
}
