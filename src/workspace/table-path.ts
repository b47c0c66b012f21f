import type { Workspace } from '../domain/workspace.ts'

/** A path as the table writes it. The workspace may refuse it; then it isn't an upload, and the tool will say so. */
export function tablePath(workspace: Workspace, path: string): string {
  try {
    return workspace.normalize(path)
  } catch {
    return path
  }
}
