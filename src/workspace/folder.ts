import { constants, type Dirent, existsSync, type Stats } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { about, errnoOf, notAFolder, refusedLink } from './failures.ts'

/**
 * An opened folder: the only way from one name to the next. Whoever holds it can work in it with no path that
 * somebody could bend meanwhile.
 */
export interface Folder extends AsyncDisposable {
  /** Names an entry for one system call that does not follow a link in the last place. */
  at(name: string): string
  entries(): Promise<Dirent[]>
  /** Throws when `name` is a link. */
  enter(name: string): Promise<Folder>
  /** Where an opened folder alone is not proof: throws ELOOP unless it, and an entry opened in it, are still in place. */
  confirm(entry?: { name: string; stat: Stats }): Promise<void>
  /** Makes new names in it survive a power failure. */
  sync(): Promise<void>
}

const folderFlags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0)

/** Linux: what `openat` does. The kernel takes `/proc/self/fd/<n>` for the opened folder, whatever its name is by now. */
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
 * Elsewhere: by path, looked at after each step. Weaker: a link that is swapped in and out again between the two
 * looks can still lead one operation astray. Fine against a model, not against a process that runs beside it.
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

export const hasDescriptorPaths = (): boolean => process.platform === 'linux' && existsSync('/proc/self/fd')

/** `root` is absolute and free of links. `descriptors` false takes the weaker way. */
export async function openRoot(root: string, descriptors: boolean): Promise<Folder> {
  const handle = await open(root, folderFlags)
  return descriptors ? new DescriptorFolder(handle) : new PathFolder(root, handle)
}

/** Walks down name by name. `make` makes the folders that are missing. The caller closes what it gets. */
export async function descend(root: Folder, parts: string[], { make = false } = {}): Promise<Folder> {
  let folder = root
  for (const [index, name] of parts.entries()) {
    await using parent = folder
    folder = await step(parent, name, parts.slice(0, index + 1).join('/'), make)
  }
  return folder
}

const step = (parent: Folder, name: string, path: string, make: boolean): Promise<Folder> =>
  about(path, async () => {
    if (make) await makeFolder(parent, name)
    try {
      return await parent.enter(name)
    } catch (thrown) {
      // Linux says ENOTDIR for a link too; which of the two it is, is only for the message.
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
