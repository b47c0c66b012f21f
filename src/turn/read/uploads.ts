import { createHash } from 'node:crypto'
import type { RemoteFile, WorkspaceFile } from '../../domain/chat.ts'
import type { TurnId } from '../../domain/ids.ts'
import type { Workspace } from '../../domain/workspace.ts'
import { Failure, reasonOf } from '../../kit/failure.ts'
import { sizeWords } from '../../kit/text/shown.ts'
import { plainName } from '../../kit/text/text.ts'
import { throwOutage } from '../../kit/unavailable.ts'
import { NotPosted } from '../../platforms/platform.ts'
import { untilConnected } from '../../platforms/until-connected.ts'
import { appendEvents } from '../../store/events.ts'
import { findFile, settleUpload } from '../../store/files.ts'
import { LeaseLost } from '../../store/lease-lost.ts'
import type { Lease, Store } from '../../store/store.ts'
import { type Look, lookAt } from '../../workspace/look.ts'
import { turnWords } from '../port/words.ts'

export interface UploadDeps {
  store: Store
  lease: Lease
  workspace: Workspace
  /** The turn that reads it. */
  turn?: { id: TurnId }
  /** Fetches an upload, wherever it is. */
  fetch(file: RemoteFile): Promise<ReadableStream<Uint8Array>>
  /** Whether the place that it comes from is there. */
  isConnected(): boolean
  /** Called once the upload is in the workspace. */
  drop(file: RemoteFile): Promise<void>
  /** Larger files are refused. */
  fileBytes: number
  /** Aborted when nobody waits for it any more. */
  signal: AbortSignal
}

/**
 * Downloads an upload to the path reserved for it. Repeated after a crash, it writes the same bytes to the same path.
 * Returns the file with its real size and type, or why it couldn't be downloaded.
 */
export async function importUpload(
  file: WorkspaceFile,
  deps: UploadDeps,
): Promise<WorkspaceFile | { failure: string }> {
  const { store, lease, workspace } = deps
  const row = await findFile(store.db, lease.session, file.path)
  if (row?.state === 'failed') return { failure: turnWords.notSaved({ name: file.name }) }
  if (row?.remote === undefined) return row ? { ...file, ...(await seenAgain(row, workspace)) } : file
  const { remote } = row
  let stored: WorkspaceFile
  try {
    if (remote.size > deps.fileBytes) throw tooLarge(deps.fileBytes)
    // The connection may break off in the middle, so a repeated attempt fetches the whole file.
    const digest = await untilConnected(deps.signal, deps.isConnected, async () => {
      const hash = createHash('sha256')
      const body = await deps.fetch(remote)
      try {
        await workspace.write(file.path, hashed(body, hash, deps.fileBytes))
      } finally {
        // Nothing of it was read if the file couldn't even be made.
        await body.cancel().catch(() => {})
      }
      return hash.digest('hex')
    })
    const seen = await lookAt(workspace, file.path, file.name)
    const { type, size, notice } = seen
    await store.fenced(lease, async (tx) => {
      await settleUpload(tx, lease.session, file.path, { state: 'stored', type, size, hash: digest })
      if (notice === undefined) return
      const message = careful(plainName(file.name), notice)
      const data = { turn_id: deps.turn?.id, code: 'upload_notice', message }
      await appendEvents(tx, lease.session, [{ type: 'warning', data }])
    })
    stored = { ...file, ...seen }
  } catch (thrown) {
    deps.signal.throwIfAborted()
    // Whoever has taken over fetches it.
    if (thrown instanceof LeaseLost) throw thrown
    // The turn waits, and fetches it again.
    throwOutage(thrown)
    await store.fenced(lease, (tx) => settleUpload(tx, lease.session, file.path, { state: 'failed' }))
    await deps.drop(remote)
    return { failure: turnWords.notSavedBecause({ name: file.name, why: whyOf(thrown) }) }
  }
  await deps.drop(remote)
  return stored
}

/** A notice completes "it is …" or says something about the name. */
const careful = (name: string, notice: string): string =>
  notice.startsWith('it ')
    ? turnWords.careful({ name, is: notice.slice('it '.length) })
    : turnWords.carefulWith({ name, notice })

/** It was stored before a crash. */
const seenAgain = ({ path, name, type, size }: WorkspaceFile, workspace: Workspace): Promise<Look> =>
  lookAt(workspace, path, name).catch((thrown) => {
    throwOutage(thrown)
    return { type, size }
  })

function whyOf(thrown: unknown): string {
  const [reason, remedy] = [reasonOf(thrown), remedyOf(thrown)]
  const ended = (text: string) => text.replace(/[^.!?]$/, '$&.')
  return remedy ? `${ended(reason)} ${ended(remedy)}` : reason
}

function remedyOf(thrown: unknown): string | undefined {
  if (thrown instanceof Failure) return thrown.remedy
  if (!(thrown instanceof NotPosted)) return undefined
  return thrown.remedy ?? (thrown.again === 'later' ? turnWords.notSavedNowRemedy() : undefined)
}

const tooLarge = (bytes: number): Failure =>
  new Failure('too_large', turnWords.fileTooLarge({ most: sizeWords(bytes) }), turnWords.fileTooLargeRemedy())

/** A platform may send more bytes than it said. */
async function* hashed(stream: ReadableStream<Uint8Array>, hash: ReturnType<typeof createHash>, most: number) {
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.byteLength
    if (bytes > most) throw tooLarge(most)
    hash.update(chunk)
    yield chunk
  }
}
