import { refused } from './failures.ts'
import { isTemporary } from './temporary.ts'

/** The folders of every workspace. */
export const folders = ['skills', 'uploads', 'outputs', 'temp']
export const writableFolders = ['uploads', 'outputs', 'temp']

/** What file systems allow for one name, in bytes. */
const nameBytes = 255
/** Limits for a whole path: bytes, and names. */
const pathBytes = 4096
const depth = 64

/** The names of a path from the root down; none for the root. Throws `path_refused`. */
export function pathNames(path: string): string[] {
  if (path === '') throw refused(path, 'is empty.', 'Name a file or folder; "." is the workspace.')
  if (path.includes('\0')) throw refused(path, 'contains a NUL character.', 'Leave it out.')
  if (path.includes('\\')) throw refused(path, 'contains a backslash.', 'Write paths with forward slashes.')
  if (/^(\/|[a-z]:)/i.test(path)) {
    throw refused(path, 'is an absolute path.', 'Write it relative to the workspace, such as "outputs/report.md".')
  }
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) throw refused(path, 'contains "..".', 'Write the path from the root of the workspace.')
  if (parts.length > depth || Buffer.byteLength(path) > pathBytes) {
    throw refused(path, `is too long: at most ${depth} names and ${pathBytes} bytes.`, 'Use fewer folders.')
  }
  for (const part of parts) checkName(path, part)
  return parts
}

function checkName(path: string, name: string): void {
  const bytes = Buffer.byteLength(name)
  if (bytes > nameBytes) {
    throw refused(path, `has a name of ${bytes} bytes; ${nameBytes} are allowed.`, 'Use a shorter name.')
  }
  if (isTemporary(name)) throw refused(path, 'has a name that the bot keeps for itself.', 'Use another name.')
}

export const normalize = (path: string): string => pathNames(path).join('/') || '.'

/** The folder and the name of a file that may be written. */
export function writablePartsOf(path: string): { folder: string[]; name: string } {
  const parts = pathNames(path)
  const name = parts.at(-1)
  if (name === undefined || parts.length < 2 || !writableFolders.includes(parts[0] ?? '')) {
    throw refused(
      path,
      'cannot be written.',
      'Write to a file below outputs/, temp/ or uploads/; the rest is read-only.',
    )
  }
  return { folder: parts.slice(0, -1), name }
}
