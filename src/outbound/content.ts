import { isUtf8 } from 'node:buffer'
import type { WorkspaceFile } from '../domain/chat.ts'
import { codePath } from '../kit/text/shown.ts'
import type { Content, OutgoingFile } from '../platforms/platform.ts'
import { chatWords } from '../platforms/words/words.ts'
import type { OutboxEntry, TurnBegun } from '../store/outbox-entry.ts'
import { findRequest } from '../store/requests.ts'
import type { Session } from '../store/sessions.ts'
import type { Store } from '../store/store.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import { recordOf, withoutAnswer } from './record.ts'

export interface ContentDeps {
  store: Store
  workspaces: Workspaces
  /** Larger files are named but not posted. */
  fileBytes: number
}

/**
 * What an outbox entry shows, as things stand now. Undefined when there is nothing left to show. `begun`: of its turn,
 * if known.
 */
export async function contentOf(
  entry: OutboxEntry,
  session: Session,
  deps: ContentDeps,
  begun?: TurnBegun,
): Promise<Content | undefined> {
  const { db } = deps.store
  if (entry.kind === 'card' || entry.kind === 'outcome') {
    const request = await findRequest(db, entry.payload.request)
    return request && { kind: 'card', request }
  }
  if (entry.kind === 'files') {
    return { kind: 'files', files: entry.payload.files.map((file) => outgoing(file, session, deps)) }
  }
  const { segment } = entry.payload
  const { turn } = entry
  const record =
    turn === undefined || segment === undefined
      ? undefined
      : await recordOf(db, { session: session.id, turn }, segment, begun)
  if (entry.kind === 'record' && entry.payload.nothing === true) return undefined
  if (entry.kind === 'record') return record && { kind: 'record', record }

  const { text, files, ping } = entry.payload
  const fits = files.filter(({ size }) => size <= deps.fileBytes)
  const large = files.filter(({ size }) => size > deps.fileBytes)
  const words = [text, ...large.map(({ path, size }) => chatWords.fileTooLarge({ path: codePath(path), size }))]
  return {
    kind: 'answer',
    text: words.join('\n\n'),
    files: fits.map((file) => outgoing(file, session, deps)),
    record: record && withoutAnswer(record, text),
    ping,
  }
}

const outgoing = (
  file: WorkspaceFile,
  session: Session,
  { store, workspaces, fileBytes }: ContentDeps,
): OutgoingFile => ({
  ...file,
  async bytes() {
    const bytes = await (await workspaces.open(session)).read(file.path, fileBytes)
    if (bytes.length > mostMasked || !isUtf8(bytes)) return bytes
    const text = bytes.toString()
    const masked = store.mask(text)
    return masked === text ? bytes : Buffer.from(masked)
  },
})

/** Nobody reads a larger file as text, and checking it would hold up the bot. */
const mostMasked = 1_000_000
