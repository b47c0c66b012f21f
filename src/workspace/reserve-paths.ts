import type { RemoteFile, WorkspaceFile } from '../domain/chat.ts'
import { typeByName } from '../kit/files/type.ts'
import { listFiles } from '../store/files.ts'
import type { Session } from '../store/sessions.ts'
import type { Tx } from '../store/store.ts'
import { freeName, nameKey, safeName } from './names.ts'

/** Paths in uploads/ for incoming files that clash neither with known ones nor with files `onDisk`. */
export async function reservePaths(
  tx: Tx,
  session: Session,
  files: RemoteFile[],
  onDisk: Set<string>,
): Promise<WorkspaceFile[]> {
  if (files.length === 0) return []
  const known = [...onDisk, ...(await listFiles(tx.db, session.id)).map(({ path }) => path)]
  const taken = new Set(known.map(nameKey))
  return files.map(({ name, size }) => {
    const free = freeName(safeName(name), (candidate) => taken.has(nameKey(`uploads/${candidate}`)))
    const path = `uploads/${free}`
    taken.add(nameKey(path))
    return { name, path, type: typeByName(free), size }
  })
}
