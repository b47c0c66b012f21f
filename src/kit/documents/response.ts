import { buffer } from 'node:stream/consumers'

// A reader has no network. But pdf.js looks at `Response` as it loads, and for that Node would load its whole HTTP
// client, which takes as long as all else that a reader of PDF loads. What pdf.js does with one is this.
globalThis.Response = class {
  readonly #stream: ReadableStream

  constructor(stream: ReadableStream) {
    this.#stream = stream
  }

  bytes = async (): Promise<Uint8Array> => new Uint8Array(await buffer(this.#stream))
} as unknown as typeof Response
