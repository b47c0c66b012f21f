/** Lets through what has exactly so many bytes; of anything else the reader learns by an error. Half a file is none. */
export function exactSize(
  bytes: number,
  wrong: { more(): Error; less(seen: number): Error },
): TransformStream<Uint8Array, Uint8Array> {
  let seen = 0
  return new TransformStream({
    transform(chunk, controller) {
      seen += chunk.byteLength
      if (seen > bytes) controller.error(wrong.more())
      else controller.enqueue(chunk)
    },
    flush(controller) {
      if (seen < bytes) controller.error(wrong.less(seen))
    },
  })
}
