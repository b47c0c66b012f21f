import type { RemoteFile, WorkspaceFile } from '../domain/chat.ts'
import { listFiles } from '../store/files.ts'
import type { Session } from '../store/sessions.ts'
import type { Tx } from '../store/store.ts'
import { freeName, safeName } from '../workspace/names.ts'
import { typeByName } from '../workspace/type.ts'

/** Paths in uploads/ for files that are to come, clashing with none that is known or lies `onDisk`. */
export async function reservePaths(
  tx: Tx,
  session: Session,
  files: RemoteFile[],
  onDisk: Set<string>,
): Promise<WorkspaceFile[]> {
  if (files.length === 0) return []
  const taken = new Set([...onDisk, ...(await listFiles(tx.db, session.id)).map(({ path }) => path)])
  return files.map(({ name, size }) => {
    const free = freeName(safeName(name), (candidate) => taken.has(`uploads/${candidate}`))
    const path = `uploads/${free}`
    taken.add(path)
    return { name, path, type: typeByName(free), size }
  })
}
