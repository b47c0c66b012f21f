import type { RemoteFile } from '../domain/chat.ts'
import type { SessionId } from '../domain/ids.ts'
import { findByDedupKey } from './inbox.ts'
import type { Db } from './store.ts'

/** Without the files of quoted messages that the session has received, files and all. */
export async function withoutKnown(db: Db, session: SessionId, files: RemoteFile[]): Promise<RemoteFile[]> {
  const kept: RemoteFile[] = []
  for (const file of files) {
    const found = file.of === undefined ? undefined : await findByDedupKey(db, file.of)
    if (found?.session !== session) kept.push(file)
  }
  return kept
}
