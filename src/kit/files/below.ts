import { constants, type Dirent, existsSync } from 'node:fs'
import { chmod, open, opendir } from 'node:fs/promises'
import { errnoOf } from '../errno.ts'

export const hasDescriptorPaths = (): boolean => process.platform === 'linux' && existsSync('/proc/self/fd')

export interface FoundEntry {
  path: Buffer
  entry: Dirent<Buffer>
}

/** The kernel takes no path over 4,096 bytes, and a name may have up to 255. */
export const longestPath = 3_500

const slash = Buffer.from('/')
const dot = Buffer.from('.')

/** Every entry below a folder, each folder before its contents. Entries that vanish meanwhile are skipped. */
export async function* entriesBelow(start: Buffer): AsyncGenerator<FoundEntry> {
  for await (const found of handfulsBelow(start)) yield* found
}

/** Looking them up one by one would make thousands of files wait for a busy event loop each time. */
const handful = 64

/** A path is valid until the next batch is requested. */
export async function* handfulsBelow(start: Buffer): AsyncGenerator<FoundEntry[]> {
  const waiting = [start]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (folder.length > longestPath && hasDescriptorPaths()) {
      yield* belowOpened(folder)
      continue
    }
    let found: FoundEntry[] = []
    for await (const entry of entriesOf(folder)) {
      const path = Buffer.concat([folder, slash, entry.name])
      if (entry.isDirectory()) waiting.push(path)
      found.push({ path, entry })
      if (found.length < handful) continue
      yield found
      found = []
    }
    if (found.length > 0) yield found
  }
}

const folderFlags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0)

/** From an opened folder on, paths are short again. It is unlocked by its name, as its descriptor's path is a link. */
async function* belowOpened(folder: Buffer): AsyncGenerator<FoundEntry[]> {
  await using handle = await orNothing(() => unlock(folder).then(() => open(folder, folderFlags)))
  if (handle !== undefined) yield* handfulsBelow(Buffer.from(`/proc/self/fd/${handle.fd}`))
}

async function* entriesOf(folder: Buffer): AsyncGenerator<Dirent<Buffer>> {
  const opened = await orNothing(() => openedOf(folder).catch(unlockedFirst))
  if (opened !== undefined) yield* opened as unknown as AsyncIterable<Dirent<Buffer>>

  async function unlockedFirst(thrown: unknown) {
    if (errnoOf(thrown) !== 'EACCES') throw thrown
    await unlock(folder)
    return await openedOf(folder)
  }
}

/** Through its dot, because a folder that may be read but not entered opens, and then refuses each of its entries. */
const openedOf = (folder: Buffer) =>
  // Node can return names as bytes here too, but its types only say so for `readdir`, which reads a folder of any size
  // at once.
  opendir(Buffer.concat([folder, slash, dot]), { encoding: 'buffer' as BufferEncoding })

/** `O_PATH` opens even what may not be read, just to refer to it. */
const pathOnly = 0o10000000

/** A command may remove permissions from its folders, but they still belong to the bot. */
export async function unlock(folder: Buffer): Promise<void> {
  if (!hasDescriptorPaths()) return
  await using handle = await open(folder, pathOnly | folderFlags)
  // Through the descriptor, because the name may be a link by now.
  await chmod(`/proc/self/fd/${handle.fd}`, 0o700)
}

const gone = new Set(['ENOENT', 'ENOTDIR', 'ELOOP'])

/** Undefined when what it works on is gone, or a link by now. */
export async function orNothing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (thrown) {
    if (gone.has(errnoOf(thrown) ?? '')) return undefined
    throw thrown
  }
}
