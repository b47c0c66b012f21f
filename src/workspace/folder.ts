import { constants, type Dirent, type Stats } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { errnoOf } from '../kit/errno.ts'
import { about, notAFolder, refusedLink } from './failures.ts'
import { spelledIn } from './spelled.ts'

/**
 * An opened folder, the only way from one name to the next. Working in it needs no path that somebody could redirect
 * meanwhile.
 */
export interface Folder extends AsyncDisposable {
  /** Names an entry for one system call that doesn't follow a link in the last position. */
  at(name: string): string
  entries(): Promise<Dirent[]>
  /** Throws when `name` is a link. */
  enter(name: string): Promise<Folder>
  /**
   * For systems where an opened folder isn't proof enough: throws ELOOP unless it, and an entry opened in it, are still
   * in place.
   */
  confirm(entry?: { name: string; stat: Stats }): Promise<void>
  /** Makes new names in it survive a power failure. */
  sync(): Promise<void>
}

const folderFlags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0)

/**
 * On Linux, this does what `openat` does. The kernel takes `/proc/self/fd/<n>` as the opened folder, whatever its name
 * is by now.
 */
class DescriptorFolder implements Folder {
  readonly #handle: FileHandle

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  at(name: string): string {
    return `/proc/self/fd/${this.#handle.fd}/${name}`
  }

  entries(): Promise<Dirent[]> {
    return readdir(this.at('.'), { withFileTypes: true })
  }

  async enter(name: string): Promise<Folder> {
    return new DescriptorFolder(await open(this.at(name), folderFlags))
  }

  async confirm(): Promise<void> {}

  sync(): Promise<void> {
    return this.#handle.sync()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#handle.close()
  }
}

/**
 * On other systems: by path, checked after each step. This is weaker, because a link that is swapped in and out between
 * two checks can still redirect one operation. It is enough against a model, but not against a process running beside
 * it.
 */
class PathFolder implements Folder {
  readonly #path: string
  readonly #handle: FileHandle

  constructor(path: string, handle: FileHandle) {
    this.#path = path
    this.#handle = handle
  }

  at(name: string): string {
    return join(this.#path, name)
  }

  entries(): Promise<Dirent[]> {
    return readdir(this.#path, { withFileTypes: true })
  }

  async enter(name: string): Promise<Folder> {
    const path = this.at(name)
    const folder = new PathFolder(path, await open(path, folderFlags))
    try {
      await folder.confirm()
      return folder
    } catch (thrown) {
      await folder[Symbol.asyncDispose]()
      throw thrown
    }
  }

  async confirm(entry?: { name: string; stat: Stats }): Promise<void> {
    const [real, now, opened] = await Promise.all([realpath(this.#path), lstat(this.#path), this.#handle.stat()])
    const inPlace = real === this.#path && isSame(now, opened)
    if (inPlace && (!entry || isSame(await lstat(this.at(entry.name)), entry.stat))) return
    throw Object.assign(new Error('the path leads elsewhere by now'), { code: 'ELOOP' })
  }

  sync(): Promise<void> {
    return this.#handle.sync()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#handle.close()
  }
}

const isSame = (a: Stats, b: Stats): boolean => a.ino === b.ino && a.dev === b.dev

/** `root` is absolute and contains no links. `descriptors` false uses the weaker way. */
export async function openRoot(root: string, descriptors: boolean): Promise<Folder> {
  const handle = await open(root, folderFlags)
  return descriptors ? new DescriptorFolder(handle) : new PathFolder(root, handle)
}

/** Walks down name by name. `make` creates missing folders. The caller closes the result. */
export async function descend(root: Folder, parts: string[], { make = false } = {}): Promise<Folder> {
  let folder = root
  for (const [index, name] of parts.entries()) {
    await using parent = folder
    folder = await step(parent, name, parts.slice(0, index + 1).join('/'), make)
  }
  return folder
}

const step = (parent: Folder, asked: string, path: string, make: boolean): Promise<Folder> =>
  about(path, async () => {
    const name = await spelledIn(parent, asked)
    if (make) await makeFolder(parent, name)
    try {
      return await parent.enter(name)
    } catch (thrown) {
      // Linux returns ENOTDIR for a link too. Which of the two it is matters only for the message.
      if (errnoOf(thrown) !== 'ENOTDIR') throw thrown
      throw (await lstat(parent.at(name))).isSymbolicLink() ? refusedLink(path) : notAFolder(path)
    }
  })

async function makeFolder(parent: Folder, name: string): Promise<void> {
  try {
    await mkdir(parent.at(name))
    await parent.sync()
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EEXIST') throw thrown
  }
}
