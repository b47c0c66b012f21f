import { decide, type Rules } from '../decisions/policy.ts'
import type { Tool } from '../domain/tool.ts'
import type { Verdict } from '../domain/verdict.ts'
import type { Workspace } from '../domain/workspace.ts'
import { listFiles } from '../store/files.ts'
import type { Session } from '../store/sessions.ts'
import type { Store } from '../store/store.ts'

export interface VerdictDeps {
  rules: Rules
  store: Store
  session: Session
  workspace: Workspace
}

/** What the policy says of a call, with what it has to know looked up. */
export async function verdictOn(tool: Tool, input: never, deps: VerdictDeps): Promise<Verdict> {
  const uploaded = await touchesUpload(tool.paths?.(input) ?? [], deps)
  return decide(deps.rules, { tool: tool.name, effect: tool.effect, uploaded })
}

async function touchesUpload(paths: string[], { store, session, workspace }: VerdictDeps): Promise<boolean> {
  if (paths.length === 0) return false
  const touched = paths.map((path) => onAnyDisk(spelledOnce(workspace, path)))
  const files = await listFiles(store.db, session.id)
  return files.some(({ direction, path }) => direction === 'in' && touched.includes(onAnyDisk(path)))
}

/** Some disks take names for the same that differ in case or in how accents are written. */
const onAnyDisk = (path: string): string => path.normalize('NFC').toLowerCase()

/** The path as the table spells it; one that the workspace refuses is no upload, and the tool will say so. */
export function spelledOnce(workspace: Workspace, path: string): string {
  try {
    return workspace.normalize(path)
  } catch {
    return path
  }
}
