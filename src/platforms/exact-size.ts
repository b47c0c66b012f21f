/**
 * Passes through exactly this many bytes; otherwise the reader gets an error, so that nobody takes half a file for a
 * whole one.
 */
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
