import { Readable } from 'node:stream'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { ApiDeps } from './deps.ts'

/** Sends what is read little by little. If that fails, the transfer breaks off, lest it look whole. */
export function streamed(
  context: Context,
  content: AsyncIterable<unknown>,
  { report }: Pick<ApiDeps, 'report'>,
): Response {
  const { outgoing }: HttpBindings = context.env
  async function* untilItFails() {
    try {
      yield* content
    } catch (thrown) {
      // The reader has left.
      if (outgoing.destroyed) return
      // Hono would print it as it is.
      report(thrown)
      outgoing.destroy()
    }
  }
  return context.body(Readable.toWeb(Readable.from(untilItFails())) as ReadableStream)
}
