import type { Workspace, WorkspaceEntry } from '../domain/workspace.ts'
import { Failure } from '../kit/failure.ts'

/** The files of a walk, and whether there were too many to see them all. */
export interface Walked {
  complete: boolean
}

/** Walks a folder. A folder that is too large ends the walk early, which `walked` reports, instead of failing. */
export async function* walkFiles(
  workspace: Workspace,
  path: string,
  walked: Walked,
  signal: AbortSignal,
): AsyncGenerator<WorkspaceEntry> {
  try {
    for await (const entry of workspace.walk(path)) {
      signal.throwIfAborted()
      yield entry
    }
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== 'too_many') throw thrown
    walked.complete = false
  }
}

/** A path relative to the folder that is searched, as globs expect it. */
export const below = (folder: string, path: string): string => (folder === '.' ? path : path.slice(folder.length + 1))
