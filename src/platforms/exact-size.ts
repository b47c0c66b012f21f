interface Wrong {
  more(): Error
  less(seen: number): Error
  /** The connection broke off in the middle. */
  broken(cause: unknown): Error
}

/**
 * Passes through exactly this many bytes, or all that come if `bytes` is 0, because nobody said how many there are.
 * Otherwise the reader gets an error, so that nobody takes half a file for a whole one.
 */
export const exactSize = (body: ReadableStream<Uint8Array>, bytes: number, wrong: Wrong): ReadableStream<Uint8Array> =>
  ReadableStream.from(checked(body, bytes, wrong))

async function* checked(body: ReadableStream<Uint8Array>, bytes: number, wrong: Wrong): AsyncGenerator<Uint8Array> {
  let seen = 0
  for await (const chunk of unbroken(body, wrong)) {
    seen += chunk.byteLength
    if (bytes > 0 && seen > bytes) throw wrong.more()
    yield chunk
  }
  if (seen < bytes) throw wrong.less(seen)
}

async function* unbroken(body: ReadableStream<Uint8Array>, { broken }: Wrong): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (thrown) {
    throw broken(thrown)
  }
}
