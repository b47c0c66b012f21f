import type { Failure } from '../kit/failure.ts'
import { refused } from './failures.ts'
import { isTemporary } from './temporary.ts'
import { workspaceWords as words } from './words.ts'

/** The folders of every workspace. */
export const folders = ['skills', 'uploads', 'outputs', 'temp']
export const writableFolders = ['uploads', 'outputs', 'temp']

/** What file systems allow for one name, in bytes. */
const nameBytes = 255
/** Limits for a whole path: what Linux allows, and names. */
const pathBytes = 4_096
const depth = 64
/** PostgreSQL indexes at most 2,704 bytes, with a row's other keys. */
const storedBytes = 2_000

/** Commands can make such files: they can be read, but neither they nor their changes are stored, or posted. */
export const isTooLong = (path: string): boolean => Buffer.byteLength(path) > storedBytes

/** The names of a path from the root down; none for the root. Throws `path_refused`. */
export function pathNames(path: string): string[] {
  if (path === '') throw refused(path, words.emptyPath, words.emptyPathRemedy)
  if (path.includes('\0')) throw refused(path, words.nulInPath, words.nulInPathRemedy)
  if (path.includes('\\')) throw refused(path, words.backslash, words.backslashRemedy)
  if (/^(\/|[a-z]:)/i.test(path)) throw refused(path, words.absolute, words.absoluteRemedy)
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) throw refused(path, words.dots, words.dotsRemedy)
  if (parts.length > depth || Buffer.byteLength(path) > pathBytes) throw tooLong(path, pathBytes)
  for (const part of parts) checkName(path, part)
  return parts
}

function tooLong(path: string, bytes: number): Failure {
  const fact = ({ path }: { path: string }) => words.pathTooLong({ path, names: depth, bytes })
  return refused(path, fact, words.pathTooLongRemedy)
}

function checkName(path: string, name: string): void {
  const bytes = Buffer.byteLength(name)
  if (bytes > nameBytes) {
    const fact = ({ path }: { path: string }) => words.longName({ path, bytes, allowed: nameBytes })
    throw refused(path, fact, words.longNameRemedy)
  }
  if (isTemporary(name)) throw refused(path, words.ownName, words.ownNameRemedy)
}

export const normalize = (path: string): string => pathNames(path).join('/') || '.'

/** The folder and the name of a file that may be written. */
export function writablePartsOf(path: string): { folder: string[]; name: string } {
  const parts = pathNames(path)
  const name = parts.at(-1)
  if (name === undefined || parts.length < 2 || !writableFolders.includes(parts[0] ?? '')) {
    throw refused(path, words.readOnlyPart, words.readOnlyPartRemedy)
  }
  if (isTooLong(parts.join('/'))) throw tooLong(path, storedBytes)
  return { folder: parts.slice(0, -1), name }
}
