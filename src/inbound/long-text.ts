import { Readable } from 'node:stream'
import type { Incoming, WorkspaceFile } from '../domain/chat.ts'
import { cutUtf8 } from '../kit/text/text.ts'
import type { Staging } from '../workspace/staging.ts'
import { inboundWords } from './words.ts'

/** How much of a text that became a file stays in the message. */
const excerptBytes = 2000

/** A message ready to be stored. `longText`: its text has this many bytes and is its first file. */
export type Shortened = Incoming & { longText?: number }

/** Turns a text that is too long for a message into its first file. */
export async function shortenText(
  incoming: Incoming,
  { staging, messageBytes }: { staging: Staging; messageBytes: number },
): Promise<Shortened> {
  const bytes = Buffer.byteLength(incoming.text)
  if (bytes <= messageBytes) return incoming
  const file = await staging.put('message.txt', Readable.from([incoming.text]), bytes)
  return { ...incoming, files: [file, ...incoming.files], longText: bytes }
}

/** The text that goes into the history. */
export function excerptOf({ text, longText }: Shortened, file: WorkspaceFile | undefined): string {
  if (longText === undefined || file === undefined) return text
  return inboundWords.longMessageExcerpt({ text: cutUtf8(text, excerptBytes), bytes: longText, path: file.path })
}
