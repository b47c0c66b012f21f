import { Readable } from 'node:stream'
import type { Incoming, WorkspaceFile } from '../domain/chat.ts'
import { cutUtf8 } from '../kit/text/text.ts'
import type { Staging } from '../workspace/staging.ts'

/** What people read of a text that became a file. */
const excerptBytes = 2000

/** A message whose text is its first file has `longText` bytes of it. */
export type Prepared = Incoming & { longText?: number }

/** A text that is too long for a message becomes its first file. */
export async function shortenText(
  incoming: Incoming,
  { staging, messageBytes }: { staging: Staging; messageBytes: number },
): Promise<Prepared> {
  const bytes = Buffer.byteLength(incoming.text)
  if (bytes <= messageBytes) return incoming
  const file = await staging.put('message.txt', Readable.from([incoming.text]), bytes)
  return { ...incoming, files: [file, ...incoming.files], longText: bytes }
}

/** What stands in the thread's history. */
export function excerptOf({ text, longText }: Prepared, file: WorkspaceFile | undefined): string {
  if (longText === undefined || file === undefined) return text
  return `${cutUtf8(text, excerptBytes)}…\n\n(This message has ${longText} bytes. All of it is in ${file.path}.)`
}
