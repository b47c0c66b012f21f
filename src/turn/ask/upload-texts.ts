import type { WorkspaceFile } from '../../domain/chat.ts'
import { isText } from '../../kit/files/type.ts'
import { detectEncoding } from '../../kit/text/encoding.ts'
import { decode } from '../../kit/text/plain-text.ts'
import { quoted } from '../../kit/text/quoted.ts'
import type { Quoted } from '../prompt/request.ts'
import type { Turn } from '../state/turn.ts'

/** The text of a small upload. */
export interface UploadText extends Quoted {
  path: string
}

export async function textsOf(files: WorkspaceFile[], turn: Turn): Promise<UploadText[]> {
  // If a file has vanished or was replaced by a link, the model finds out when it looks.
  const read = await Promise.allSettled(files.map((file) => textOf(file, turn)))
  return read.flatMap((one) => (one.status === 'fulfilled' ? (one.value ?? []) : []))
}

async function textOf({ path, size }: WorkspaceFile, { workspace, bot, store }: Turn): Promise<UploadText | undefined> {
  if (size === 0 || size > bot.config.uploads.inlineBytes) return undefined
  const bytes = await workspace.read(path, bot.config.uploads.inlineBytes)
  if (!isText(bytes)) return undefined
  const { text, lossy, encoding } = decode(bytes)
  // In an encoding that has to be guessed, it is shown by the tool that says so.
  const isGuessed = lossy || detectEncoding(bytes).encoding !== encoding
  return isGuessed ? undefined : { path, source: `the file ${path}`, text: store.mask(text) }
}

const mostNamed = 20

/** Tells the model which texts it might expect and isn't shown. */
export function unshownLine(texts: UploadText[]): string[] {
  if (texts.length === 0) return []
  const names = texts.slice(0, mostNamed).map(({ path }) => quoted(path))
  const more = texts.length > mostNamed ? ` and ${texts.length - mostNamed} more` : ''
  return [`${names.join(', ')}${more}: for lack of room, the text isn’t shown here.`]
}
