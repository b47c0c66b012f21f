import type { ThreadRef } from '../../../domain/chat.ts'
import type { Identity } from '../api/identity.ts'

const stamp = /^\d+\.\d+$/

/** The link that Slack itself gives a message, made without asking for it. */
export function linkTo({ url }: Identity, { project, thread }: ThreadRef, message = thread): string | undefined {
  if (!stamp.test(thread)) return undefined
  // If a file's message isn't known, the thread has to do.
  const ts = stamp.test(message) ? message : thread
  const query = ts === thread ? '' : `?thread_ts=${thread}&cid=${project}`
  return `${url}archives/${project}/p${ts.replace('.', '')}${query}`
}

/** The ts of a message that somebody named, by its link or as it is. */
export function messageIn(text: string): string | undefined {
  const address = /\/archives\/[A-Z0-9]+\/p(\d{10,})(\d{6})\b/.exec(text)
  if (address) return `${address[1]}.${address[2]}`
  return /(?<![\d.])\d{10,}\.\d{6}(?![\d.])/.exec(text)?.[0]
}
