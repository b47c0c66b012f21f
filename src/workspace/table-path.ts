import type { Workspace } from '../domain/workspace.ts'

/** The path as the table spells it; one that the workspace refuses is no upload, and the tool will say so. */
export function tablePath(workspace: Workspace, path: string): string {
  try {
    return workspace.normalize(path)
  } catch {
    return path
  }
}
