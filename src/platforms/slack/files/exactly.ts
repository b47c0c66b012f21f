/** Lets through what has exactly so many bytes; of anything else the reader learns by an error. */
export function exactly(bytes: number, wrong: () => Error): TransformStream<Uint8Array, Uint8Array> {
  let seen = 0
  return new TransformStream({
    transform(chunk, controller) {
      seen += chunk.byteLength
      if (seen > bytes) controller.error(wrong())
      else controller.enqueue(chunk)
    },
    flush(controller) {
      if (seen !== bytes) controller.error(wrong())
    },
  })
}
