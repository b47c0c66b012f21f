import { constants, type Stats } from 'node:fs'
import { type FileHandle, link, lstat, open, rename, unlink } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { errnoOf } from '../kit/errno.ts'
import { Failure } from '../kit/failure.ts'
import { notAFile, refused, refusedLink, shown } from './failures.ts'
import type { Folder } from './folder.ts'
import { temporaryName } from './temporary.ts'
import { workspaceWords as words } from './words.ts'

const noFollow = constants.O_NOFOLLOW ?? 0
// Without O_NONBLOCK, opening a FIFO waits for a writer and blocks a thread of the pool.
const readFlags = constants.O_RDONLY | noFollow | (constants.O_NONBLOCK ?? 0)
const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow

export type FileContent = string | Uint8Array | AsyncIterable<Uint8Array>

/**
 * Opens a regular file for reading. Hard links are refused, because the other name may belong to a file outside, and
 * nothing in the file tells. (Writing replaces the name and leaves the other one alone, so it is allowed.)
 */
export async function openFile(folder: Folder, name: string, path: string): Promise<FileHandle> {
  const handle = await open(folder.at(name), readFlags)
  try {
    const stat = await settledStat(handle)
    await folder.confirm({ name, stat })
    checkReadable(path, stat)
    return handle
  } catch (thrown) {
    await handle.close()
    throw thrown
  }
}

/** A file that is just being created under a temporary name has two names for a moment. */
async function settledStat(handle: FileHandle): Promise<Stats> {
  const stat = await handle.stat()
  if (!stat.isFile() || stat.nlink < 2) return stat
  await pause(20)
  return handle.stat()
}

function checkReadable(path: string, stat: Stats): void {
  if (stat.isDirectory()) throw notAFile(path, 'folder')
  if (!stat.isFile()) throw notAFile(path, 'special')
  if (stat.nlink > 1) throw refused(path, words.hardLink, words.hardLinkRemedy)
}

/**
 * Reads from `offset` until there are `length` bytes or the file ends, at most as much as the file has now, so `length`
 * may be any number.
 */
export async function readBytes(handle: FileHandle, offset: number, length: number): Promise<Buffer> {
  // Node takes a negative position as "where the last read ended".
  if (!(offset >= 0 && length >= 0)) throw new RangeError(`cannot read ${length} bytes from ${offset}`)
  const { size } = await handle.stat()
  const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - offset)))
  let filled = 0
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, offset + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}

/** Puts a file in place completely or not at all, even in a power failure. */
export async function replaceFile(
  folder: Folder,
  name: string,
  path: string,
  content: FileContent,
  exclusive: boolean,
  replacing: (work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const mode = await replaceableMode(folder, name, path, exclusive)
  const temporary = folder.at(temporaryName())
  try {
    await fill(temporary, content, mode)
    await folder.confirm()
    // `rename` would silently replace the file; `link` fails when the name was taken meanwhile.
    if (exclusive) await link(temporary, folder.at(name))
    else await replacing(() => rename(temporary, folder.at(name)))
  } finally {
    await forget(temporary)
  }
  await folder.sync()
}

/**
 * Returns the permissions to keep. Refuses a link, a folder or a pipe; one that appears later is replaced, never
 * followed.
 */
async function replaceableMode(folder: Folder, name: string, path: string, exclusive: boolean): Promise<number> {
  const stat = await lstatOrNothing(folder.at(name))
  if (stat === undefined) return 0o644
  if (stat.isSymbolicLink()) throw refusedLink(path)
  if (stat.isDirectory()) throw notAFile(path, 'folder')
  if (!stat.isFile()) throw notAFile(path, 'special')
  if (exclusive) throw new Failure('exists', words.taken({ path: shown(path) }), words.takenRemedy())
  return stat.mode & 0o777
}

async function fill(path: string, content: FileContent, mode: number): Promise<void> {
  await using handle = await open(path, createFlags, mode)
  await handle.writeFile(content)
  await handle.sync()
}

async function forget(path: string): Promise<void> {
  try {
    await unlink(path)
  } catch (thrown) {
    // Already renamed, or out of reach; then the sweep at the next opening removes it.
    if (errnoOf(thrown) === undefined) throw thrown
  }
}

export async function lstatOrNothing(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path)
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return undefined
    throw thrown
  }
}
