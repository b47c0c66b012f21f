import type { Workspace } from '../domain/workspace.ts'

/** A path of the workspace as commands also write it, without what it is called in the sandbox. */
export const inWorkspace = (path: string): string => path.replace(/^\/workspace\//, '')

/** A path as the table writes it. The workspace may refuse it; then it isn't an upload, and the tool will say so. */
export function tablePath(workspace: Workspace, path: string): string {
  try {
    return workspace.normalize(path)
  } catch {
    return path
  }
}
