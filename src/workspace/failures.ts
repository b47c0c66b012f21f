import { Failure } from '../kit/failure.ts'
import { quotedLine } from '../kit/text/marks.ts'
import { whenDescriptors } from '../kit/unavailable.ts'

/** A path for a message: one line, limited in length. */
export const shown = (path: string): string => quotedLine(path.length > 200 ? `${path.slice(0, 200)}…` : path)

export const refused = (path: string, fact: string, remedy: string, options?: ErrorOptions): Failure =>
  new Failure('path_refused', `${shown(path)} ${fact}`, remedy, options)

export const refusedLink = (path: string, options?: ErrorOptions): Failure =>
  refused(path, 'is a link or leads through one.', 'Links are never followed. Name the real file.', options)

export const notAFile = (path: string, kind: string): Failure =>
  new Failure('not_a_file', `${shown(path)} is ${kind}.`, 'Name a file. list_files shows what a folder holds.')

export const notAFolder = (path: string, options?: ErrorOptions): Failure =>
  new Failure('not_a_folder', `${shown(path)} is not a folder.`, 'Name the folder that it is in.', options)

const known: Record<string, [code: string, fact: string, remedy: string]> = {
  ENOENT: ['not_found', 'does not exist.', 'Use list_files or find_files to see what there is.'],
  EEXIST: ['exists', 'exists already.', 'Choose another name.'],
  EISDIR: ['not_a_file', 'is a folder.', 'Name a file in it.'],
  ENXIO: ['not_a_file', 'is not a regular file.', 'Name a regular file.'],
  ENOSPC: ['disk_full', 'cannot be written: the disk is full.', 'Ask someone to make room, or write less.'],
  EDQUOT: ['disk_full', 'cannot be written: the disk quota is used up.', 'Ask someone to make room, or write less.'],
  EFBIG: ['too_large', 'would become too large for this disk.', 'Write less.'],
  EACCES: ['no_access', 'may not be opened by the bot.', 'Change its permissions or use another file.'],
  EPERM: ['no_access', 'may not be changed by the bot.', 'Change its permissions or use another file.'],
  EROFS: ['no_access', 'is on a read-only disk.', 'Use outputs/ or temp/, or ask whoever runs the bot.'],
  EMFILE: ['busy', 'cannot be opened: too many files are open.', 'Try again in a moment.'],
  ENFILE: ['busy', 'cannot be opened: too many files are open.', 'Try again in a moment.'],
}

export const errnoOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined

/** Translates system errors into messages for the model, because their own text names descriptors. */
function translated(thrown: unknown, path: string): unknown {
  if (thrown instanceof Failure) return thrown
  const errno = errnoOf(thrown) ?? ''
  const options = { cause: thrown }
  if (errno === 'ELOOP') return refusedLink(path, options)
  if (errno === 'ENAMETOOLONG') return refused(path, 'has a name that is too long.', 'Use a shorter name.', options)
  if (errno === 'ENOTDIR') return notAFolder(path, options)
  const [code, fact, remedy] = known[errno] ?? []
  return code && fact && remedy ? new Failure(code, `${shown(path)} ${fact}`, remedy, options) : thrown
}

/** Runs `work` on a path and translates its errors. If it may run `again`, it waits for free descriptors. */
export async function about<T>(path: string, work: () => Promise<T>, { again = true } = {}): Promise<T> {
  try {
    return await (again ? whenDescriptors(work) : work())
  } catch (thrown) {
    throw translated(thrown, path)
  }
}
