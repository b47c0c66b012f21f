import type { Workspace, WorkspaceEntry } from '../domain/workspace.ts'
import { Failure } from '../kit/failure.ts'

/**
 * What people and the model put there, without the bot's own files; with `all`, hidden files and installed packages
 * too. A folder that is being removed counts as empty.
 */
export async function* filesIn(workspace: Workspace, options?: { all: boolean }): AsyncGenerator<WorkspaceEntry> {
  for (const folder of ['outputs', 'uploads', 'temp']) {
    try {
      yield* workspace.walk(folder, options)
    } catch (thrown) {
      if (!(thrown instanceof Failure) || thrown.code !== 'not_found') throw thrown
    }
  }
}
