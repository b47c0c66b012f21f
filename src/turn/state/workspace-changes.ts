import type { TurnId } from '../../domain/ids.ts'
import type { Workspace } from '../../domain/workspace.ts'
import { throwOutage } from '../../kit/unavailable.ts'
import {
  type FileChange,
  hasChanges,
  latestChanges,
  type RecordedChange,
  turnBefore,
  writeChanges,
} from '../../store/changes.ts'
import { LeaseLost } from '../../store/lease-lost.ts'
import type { Lease, Store } from '../../store/store.ts'
import type { StoredTurn } from '../../store/turns.ts'
import { isTooLong } from '../../workspace/paths.ts'

/** In this order, because temporary files matter least when there are too many. */
const folders = ['uploads', 'outputs', 'temp']

/** Most files of a workspace that are compared. */
export const mostFiles = 5_000

export interface ChangesDeps {
  store: Store
  lease: Lease
  workspace: Workspace
  /** Its changes are recorded by its parent, whose workspace it is. */
  isChild?: boolean
  report(thrown: unknown): void
}

type FileState = Omit<FileChange, 'change'>

/**
 * Stores what has changed in the workspace since the last look, as changes of this turn. Called before a turn ends or
 * waits, so that the last event comes after them. One fenced transaction, none if nothing changed. Throws only in an
 * outage, after which it is called again: a turn doesn't fail because of its record.
 */
export async function recordChanges(
  turn: TurnId,
  { store, lease, workspace, isChild, report }: ChangesDeps,
): Promise<void> {
  if (isChild) return
  try {
    const found = await filesOf(workspace)
    const known = await latestChanges(store.db, lease.session)
    const difference = compare(turn, known, found)
    if (difference.changes.length + difference.undone.length === 0) return
    await store.fenced(lease, (tx) => writeChanges(tx, lease.session, turn, difference))
  } catch (thrown) {
    throwOutage(thrown)
    // The turn's next write will find out too.
    if (!(thrown instanceof LeaseLost)) report(thrown)
  }
}

/**
 * At the start of a turn: changes left by an earlier turn that was stopped belong to that turn, and so do files from
 * before anything was recorded.
 */
export async function recordEarlierChanges(turn: StoredTurn, deps: ChangesDeps): Promise<void> {
  // A session's first turn has none before it.
  if (turn.steps > 0 || turn.inboxSeq === 1) return
  const { db } = deps.store
  try {
    const before = await turnBefore(db, turn)
    if (before === undefined) return
    if (before.state !== 'done' || !(await hasChanges(db, turn.session))) await recordChanges(before.id, deps)
  } catch (thrown) {
    throwOutage(thrown)
    deps.report(thrown)
  }
}

/** The files as they are, at most `mostFiles`; `whole` is false when there are more. */
async function filesOf(workspace: Workspace): Promise<{ files: FileState[]; whole: boolean }> {
  const files: FileState[] = []
  for (const folder of folders) {
    for await (const { path, size, modifiedAt } of workspace.walk(folder)) {
      if (isTooLong(path)) continue
      if (files.length === mostFiles) return { files, whole: false }
      files.push({ path, size, modifiedAt })
    }
  }
  return { files, whole: true }
}

/** What a turn did overall: a file it made and changed was made; one it made and removed never existed. */
export function compare(
  turn: TurnId,
  known: ReadonlyMap<string, RecordedChange>,
  { files, whole }: { files: FileState[]; whole: boolean },
): { changes: FileChange[]; undone: string[] } {
  const changes: FileChange[] = []
  const undone: string[] = []
  const seen = new Set<string>()
  for (const file of files) {
    seen.add(file.path)
    const before = known.get(file.path)
    if (before === undefined) changes.push({ ...file, change: 'added' })
    else if (before.change === 'removed') changes.push({ ...file, change: before.turn === turn ? 'changed' : 'added' })
    else if (before.size !== file.size || before.modifiedAt !== file.modifiedAt) {
      const isNew = before.turn === turn && before.change === 'added'
      changes.push({ ...file, change: isNew ? 'added' : 'changed' })
    }
  }
  // Nobody knows whether files beyond the limit still exist.
  if (!whole) return { changes, undone }
  for (const { path, change, size, modifiedAt, turn: by } of known.values()) {
    // One whose path is too long may still be there.
    if (change === 'removed' || seen.has(path) || isTooLong(path)) continue
    if (change === 'added' && by === turn) undone.push(path)
    else changes.push({ path, change: 'removed', size, modifiedAt })
  }
  return { changes, undone }
}
