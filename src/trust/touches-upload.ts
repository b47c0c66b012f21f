import type { Workspace } from '../domain/workspace.ts'
import { throwOutage } from '../kit/unavailable.ts'
import { listFiles } from '../store/files.ts'
import { homeOf, type Session } from '../store/sessions.ts'
import type { Store } from '../store/store.ts'
import { tablePath } from '../workspace/table-path.ts'
import { anywhere } from './paths-written.ts'

interface UploadDeps {
  store: Store
  session: Session
  workspace: Workspace
}

/** Whether a call changes an uploaded file, under whatever name. */
export async function touchesUpload(paths: string[], written: string[], deps: UploadDeps): Promise<boolean> {
  const { workspace } = deps
  // An alias may point to an upload.
  for (const path of written) if (await isAlias(workspace, path)) return true
  return touches([...paths, ...written], deps)
}

async function isAlias(workspace: Workspace, path: string): Promise<boolean> {
  try {
    if ((await workspace.stat(path))?.kind === 'file') await workspace.readRange(path, 0, 1)
    return false
  } catch (thrown) {
    throwOutage(thrown)
    return !path.startsWith(anywhere)
  }
}

async function touches(paths: string[], { store, session, workspace }: UploadDeps): Promise<boolean> {
  if (paths.length === 0) return false
  const touched = paths.map((path) => onAnyDisk(tablePath(workspace, path)))
  const files = await listFiles(store.db, homeOf(session))
  const uploads = files.filter(({ direction }) => direction === 'in').map(({ path }) => onAnyDisk(path))
  return uploads.some((path) =>
    touched.some((one) => one === path || (one.startsWith(anywhere) && path.endsWith(one.slice(anywhere.length)))),
  )
}

/** Some disks treat names as equal that differ in case or in how accents are encoded. */
const onAnyDisk = (path: string): string => path.normalize('NFC').toLowerCase()
