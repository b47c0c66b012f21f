import { errnoOf } from '../kit/errno.ts'
import { Failure } from '../kit/failure.ts'
import { quotedLine } from '../kit/text/marks.ts'
import { whenDescriptors } from '../kit/unavailable.ts'
import { workspaceWords as words } from './words.ts'

/** A path for a message: one line, limited in length. */
export const shown = (path: string): string => quotedLine(path.length > 200 ? `${path.slice(0, 200)}…` : path)

type Fact = (values: { path: string }) => string
type Remedy = () => string

export const refused = (path: string, fact: Fact, remedy: Remedy, options?: ErrorOptions): Failure =>
  new Failure('path_refused', fact({ path: shown(path) }), remedy(), options)

export const refusedLink = (path: string, options?: ErrorOptions): Failure =>
  refused(path, words.link, words.linkRemedy, options)

export const notAFile = (path: string, kind: 'folder' | 'special'): Failure =>
  new Failure('not_a_file', words[kind]({ path: shown(path) }), words.specialRemedy())

export const notAFolder = (path: string, options?: ErrorOptions): Failure =>
  new Failure('not_a_folder', words.noFolder({ path: shown(path) }), words.noFolderRemedy(), options)

const known: Record<string, [code: string, fact: Fact, remedy: Remedy]> = {
  ENOENT: ['not_found', words.missing, words.missingRemedy],
  EEXIST: ['exists', words.taken, words.takenRemedy],
  EISDIR: ['not_a_file', words.folder, words.folderRemedy],
  ENXIO: ['not_a_file', words.special, words.specialRemedy],
  ENOSPC: ['disk_full', words.diskFull, words.diskFullRemedy],
  EDQUOT: ['disk_full', words.diskQuota, words.diskFullRemedy],
  EFBIG: ['too_large', words.overDiskLimit, words.overDiskLimitRemedy],
  EACCES: ['no_access', words.mayNotOpen, words.permissionsRemedy],
  EPERM: ['no_access', words.mayNotChange, words.permissionsRemedy],
  EROFS: ['no_access', words.diskReadOnly, words.diskReadOnlyRemedy],
  EMFILE: ['busy', words.noDescriptorsLeft, words.noDescriptorsLeftRemedy],
  ENFILE: ['busy', words.noDescriptorsLeft, words.noDescriptorsLeftRemedy],
}

/** Translates system errors into messages of the workspace, because their own text names descriptors. */
function translated(thrown: unknown, path: string): unknown {
  if (thrown instanceof Failure) return thrown
  const errno = errnoOf(thrown) ?? ''
  const options = { cause: thrown }
  if (errno === 'ELOOP') return refusedLink(path, options)
  if (errno === 'ENAMETOOLONG') return refused(path, words.longestName, words.longNameRemedy, options)
  if (errno === 'ENOTDIR') return notAFolder(path, options)
  const [code, fact, remedy] = known[errno] ?? []
  return code && fact && remedy ? new Failure(code, fact({ path: shown(path) }), remedy(), options) : thrown
}

/** Runs `work` on a path and translates its errors. If it may run `again`, it waits for free descriptors. */
export async function about<T>(path: string, work: () => Promise<T>, { again = true } = {}): Promise<T> {
  try {
    return await (again ? whenDescriptors(work) : work())
  } catch (thrown) {
    throw translated(thrown, path)
  }
}
