import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readFile } from 'node:fs/promises'
import { Failure } from '../failure.ts'
import { asUnavailable } from '../unavailable.ts'
import { insideWorkspace } from './port.ts'

/** A folder or file of the workspace that is mounted on its own. */
export interface Mount {
  kind: 'writable' | 'readOnly' | 'pinned'
  /** Relative to the workspace. */
  path: string
}

/** What was found in the workspace, held open so that it can be told from whatever takes its place. */
export interface HeldPaths {
  mounts: Mount[]
  /** Throws if this process's sandbox shows anything else at these paths than what was looked up. */
  check(processId: number): Promise<void>
  close(): Promise<void>
}

// Opens an entry itself, whatever it is: no link is followed, no pipe waits, nothing is read.
const onlyPath = 0o10000000 | constants.O_NOFOLLOW

/**
 * Looks up every path that gets a mount of its own, name by name, so that no link leads elsewhere. What is missing is
 * made. The folders above are mounted onto themselves too: a folder that contains a mount can be renamed, a mount
 * can't.
 */
export async function prepare(
  workspace: string,
  pinned: { path: string; bytes: Uint8Array }[],
  writable?: string[],
): Promise<HeldPaths> {
  const held = new Map<string, FileHandle>()
  const close = async (): Promise<void> => {
    for (const handle of held.values()) await handle.close()
  }
  try {
    held.set('', await openFolder(workspace, workspace))
    for (const path of writable ?? []) await hold(held, namesInside(path), 'folder')
    for (const { path, bytes } of pinned) await hold(held, namesInside(path), bytes)
  } catch (thrown) {
    await close()
    throw thrown
  }
  const inside = mountsOf(new Set(pinned.map(({ path }) => tidy(path))), [...held.keys()])
  const mounts = writable === undefined ? inside : [wholeReadOnly, ...onlyWritable(inside, writable.map(tidy))]
  return { mounts, check: (processId) => check(processId, mounts, held), close }
}

/** The names in a path within the workspace. Throws if any of them could lead out of it. */
export function namesInside(path: string): string[] {
  const parts = path.split('/').filter((part, place, all) => part !== '' || (place === 0 && all.length > 1))
  if (parts.some((part) => part === '' || part === '.' || part === '..' || part.includes('\0'))) {
    throw new Failure('bad_path', `“${path}” isn’t a path within the workspace.`, 'Give a path below it, such as a/b.')
  }
  return parts
}

const tidy = (path: string): string => namesInside(path).join('/')

/** Outer folders first. */
const mountsOf = (pinned: Set<string>, paths: string[]): Mount[] =>
  paths
    .filter((path) => path !== '')
    .sort((one, other) => one.split('/').length - other.split('/').length)
    .map((path) => ({ path, kind: pinned.has(path) ? 'pinned' : 'writable' }))

const wholeReadOnly: Mount = { kind: 'readOnly', path: '' }

/** Folders of a read-only workspace need no mount of their own: nothing in it can be renamed. */
const onlyWritable = (mounts: Mount[], writable: string[]): Mount[] =>
  mounts.filter(({ kind, path }) => kind !== 'writable' || writable.some((one) => `${path}/`.startsWith(`${one}/`)))

/**
 * Opens every folder on the way and the last entry. `last`: a folder, or a file with the bytes it gets if it is
 * missing.
 */
async function hold(held: Map<string, FileHandle>, parts: string[], last: 'folder' | Uint8Array): Promise<void> {
  for (let depth = 1; depth <= parts.length; depth++) {
    const path = parts.slice(0, depth).join('/')
    const above = held.get(parts.slice(0, depth - 1).join('/'))
    if (held.has(path) || above === undefined) continue
    const isFile = depth === parts.length && last !== 'folder'
    const name = `/proc/self/fd/${above.fd}/${parts[depth - 1]}`
    if (isFile) await makeFile(name, last)
    else await mkdir(name).catch(ignoring('EEXIST'))
    const handle = await open(name, onlyPath)
    held.set(path, handle)
    const found = await handle.stat()
    if (isFile ? !found.isFile() : !found.isDirectory() && !(found.isFile() && depth === parts.length)) {
      throw refused(path)
    }
  }
}

async function makeFile(name: string, bytes: Uint8Array): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  await using handle = await open(name, flags, 0o644).catch(ignoring('EEXIST'))
  await handle?.writeFile(bytes)
}

const ignoring =
  (code: string) =>
  (thrown: unknown): undefined => {
    if ((thrown as NodeJS.ErrnoException).code !== code) throw thrown
  }

async function openFolder(path: string, shown: string): Promise<FileHandle> {
  const handle = await open(path, onlyPath).catch((thrown: unknown) => {
    throw asUnavailable(thrown) ?? refused(shown, thrown)
  })
  if ((await handle.stat()).isDirectory()) return handle
  await handle.close()
  throw refused(shown)
}

const refused = (path: string, cause?: unknown): Failure =>
  new Failure(
    'bad_path',
    `“${path}” can’t be used by a command: it is a link, or not a file or folder.`,
    'Remove the link, or name what it points to.',
    { cause },
  )

const changed = (path: string): Failure =>
  new Failure(
    'workspace_changed',
    `“${path}” was replaced in the workspace while the command was about to start.`,
    'Run the command again.',
  )

/** Where the command finds a path of the workspace. */
export const insideOf = (path: string): string => (path === '' ? insideWorkspace : `${insideWorkspace}/${path}`)

async function check(processId: number, mounts: Mount[], held: Map<string, FileHandle>): Promise<void> {
  if (mounts.length === 0) return
  const there = mountPoints(await readFile(`/proc/${processId}/mountinfo`, 'utf8'))
  for (const { kind, path } of mounts) {
    const inside = insideOf(path)
    const mounted = there.get(inside)
    if (mounted === undefined || (kind !== 'writable' && mounted !== 'ro')) throw changed(path)
    if (kind === 'pinned') continue
    const [now, then] = [
      await lstat(`/proc/${processId}/root${inside}`, { bigint: true }),
      await held.get(path)?.stat({ bigint: true }),
    ]
    if (then === undefined || !isSame(now, then)) throw changed(path)
  }
}

const isSame = (one: BigIntStats, other: BigIntStats): boolean => one.dev === other.dev && one.ino === other.ino

/** Where something is mounted, and whether it is writable; the last mount counts. */
export function mountPoints(mountinfo: string): Map<string, 'ro' | 'rw'> {
  const points = new Map<string, 'ro' | 'rw'>()
  for (const line of mountinfo.split('\n')) {
    const [, , , , point, options] = line.split(' ')
    if (point === undefined || options === undefined) continue
    points.set(unescaped(point), options.split(',').includes('ro') ? 'ro' : 'rw')
  }
  return points
}

/** Blanks, line ends and backslashes are written as three octal digits there. */
const unescaped = (point: string): string =>
  point.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
