import type { ScannedFile } from '../../../domain/scan.ts'
import type { Workspace } from '../../../domain/workspace.ts'
import type { JobKind } from '../../../jobs/kind.ts'
import type { Clock } from '../../../kit/clock.ts'
import { namedSuffix } from '../../../kit/files/document-kind.ts'
import { putRecognized, recognizedBefore, recognizedIn } from '../../../store/recognized.ts'
import { type RecognizedText, recognizing } from '../../../store/recognized-row.ts'
import { findSession } from '../../../store/sessions.ts'
import type { Store } from '../../../store/store.ts'
import type { Workspaces } from '../../../workspace/workspaces.ts'
import { hashOf } from '../index/content.ts'
import { mostTries, pagesLeft, type Recognized } from './tries.ts'

export interface RecognizeDeps {
  store: Store
  workspaces: Workspaces
  clock: Clock
  recognize(file: ScannedFile, page: number, bytes: Uint8Array, signal: AbortSignal): Promise<Recognized>
  /** Makes the text of a page findable. */
  index(file: ScannedFile, text: RecognizedText, signal: AbortSignal): Promise<void>
}

/** After this many pages it is another scan's turn. */
const pagesInTurn = 10

/** Reads a scan page by page. What a page gave is stored with the job's progress, so no page is read twice. */
export const recognizeKind = (deps: RecognizeDeps): JobKind<ScannedFile> => ({
  name: recognizing,
  atOnce: 1,
  async run({ input: file, save, signal }) {
    const { store, clock } = deps
    const session = await findSession(store.db, file.session)
    if (session === undefined || session.isDeleted) return
    const tried = new Map((await recognizedIn(store.db, session.id, file.content)).map((one) => [one.page, one]))
    const left = pagesLeft(file.pages, tried, clock.now())
    if (left.length === 0) return
    const bytes = await bytesOf(await deps.workspaces.open(session), file, signal)
    // It was changed or deleted: what is there now gets its own job.
    if (bytes === undefined) return
    for (const page of left.slice(0, pagesInTurn)) {
      const text: Recognized =
        (await recognizedBefore(store.db, file.content, page)) ?? (await deps.recognize(file, page, bytes, signal))
      const tries = text.isFinal ? mostTries : (tried.get(page)?.tries ?? 0) + 1
      await save({ page }, (tx) => putRecognized(tx, session.id, file.content, { ...text, tries }))
      await deps.index(file, text, signal)
    }
    return left.length > pagesInTurn ? { again: clock.now() } : undefined
  },
})

/** Undefined if it isn't that content any more. */
async function bytesOf(
  workspace: Workspace,
  { path, content }: ScannedFile,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  const entry = await workspace.stat(path)
  if (entry?.kind !== 'file') return undefined
  const bytes = new Uint8Array(entry.size)
  const hash = await hashOf(workspace, path, entry.size, signal, bytes)
  return hash + namedSuffix(path) === content ? bytes : undefined
}
