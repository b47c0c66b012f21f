import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import type { Workspace, WorkspaceEntry } from '../../domain/workspace.ts'
import { throwOutage } from '../../kit/unavailable.ts'
import { listFiles, type StoredFile } from '../../store/files.ts'
import type { Session } from '../../store/sessions.ts'
import type { Db } from '../../store/store.ts'
import { lookAt } from '../../workspace/look.ts'
import { isTooLong } from '../../workspace/paths.ts'
import { mostPosted, type NewOutput, postFiles } from './end-turn.ts'
import type { Turn } from './turn.ts'
import { recordChanges } from './workspace-changes.ts'

/** Those whose path was never posted, or also those that have changed since. */
type Which = 'unposted' | 'changed'

/**
 * The files the turn left in outputs/ that weren't posted in this form before. Their changes are recorded first. A file
 * that can't be read (a link, or one that vanished) is reported and skipped, so that it doesn't hold up the answer. An
 * outage is waited out here, because the answer that waits for them isn't stored yet.
 */
export async function newOutputs(turn: Turn, which: Which = 'changed'): Promise<NewOutput[]> {
  // What a child makes is posted by its parent.
  if (isUntouched(turn) || turn.isChild) return []
  return turn.store.readPatiently(turn.session.id, async (db) => {
    turn.signal.throwIfAborted()
    await recordChanges(turn.row.id, turn)
    return findOutputs(turn, db, which)
  })
}

/**
 * Posts them before the turn ends: people may have to look at them, and it may wait for long. Only new ones when people
 * approve calls; otherwise a file that each call changes would be posted with each approval.
 */
export async function postOutputs(turn: Turn, which?: Which): Promise<void> {
  const outputs = await newOutputs(turn, which)
  if (outputs.length > 0) await turn.store.fenced(turn.lease, (tx) => postFiles(tx, turn.row, outputs))
}

interface Looking {
  workspace: Workspace
  session: Pick<Session, 'id'>
  signal: AbortSignal
  report(thrown: unknown): void
}

export async function findOutputs(looking: Looking, db: Db, which: Which = 'changed'): Promise<NewOutput[]> {
  const { workspace, session, signal } = looking
  const report = (thrown: unknown) => {
    throwOutage(thrown)
    looking.report(thrown)
  }
  let posted: Map<string, StoredFile> | undefined
  const found: NewOutput[] = []
  try {
    for await (const entry of workspace.walk('outputs')) {
      if (isTooLong(entry.path)) continue
      posted ??= new Map((await listFiles(db, session.id)).map((file) => [file.path, file]))
      const before = posted.get(entry.path)
      if (before !== undefined && (which === 'unposted' || isUnchanged(entry, before))) continue
      signal.throwIfAborted()
      const output = found.length < mostPosted ? await readOutput(workspace, entry).catch(report) : unread(entry)
      if (output && output.hash !== before?.hash) found.push(output)
    }
  } catch (thrown) {
    signal.throwIfAborted()
    report(thrown)
  }
  return found
}

const isUnchanged = (now: WorkspaceEntry, before: StoredFile): boolean =>
  now.size === before.size && (now.modifiedAt < before.recordedAt || before.hash === unread(now).hash)

/** In the session's first turn, without tool calls or uploads, there can't be any. */
const isUntouched = ({ row, journal, workspace }: Turn): boolean =>
  row.inboxSeq === 1 && journal.steps === 0 && !workspace.isThere()

/** One that isn't posted, because there are too many: it is only recorded, under the time of its last change. */
const unread = ({ path, size, modifiedAt }: WorkspaceEntry): NewOutput => {
  return { name: basename(path), path, size, type: 'application/octet-stream', hash: `${modifiedAt}` }
}

async function readOutput(workspace: Workspace, { path, size }: WorkspaceEntry): Promise<NewOutput> {
  const { type } = await lookAt(workspace, path, basename(path))
  return { name: basename(path), path, size, type, hash: await hashOf(workspace, path, size) }
}

async function hashOf(workspace: Workspace, path: string, size: number): Promise<string> {
  const hash = createHash('sha256')
  const step = 1024 * 1024
  for (let offset = 0; offset < size; offset += step) hash.update(await workspace.readRange(path, offset, step))
  return hash.digest('hex')
}
