import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { RemoteFile } from '../domain/chat.ts'
import { newId } from '../domain/ids.ts'
import { Failure } from '../kit/failure.ts'
import { sizeWords } from '../kit/text/shown.ts'
import { workspaceWords as words } from './words.ts'

const prefix = 'staged:'

/**
 * A younger file may still be needed by a process that only seems to be gone. While others run, one of them may just be
 * receiving a message whose first files came long ago.
 */
const strayMs = { alone: 3_600_000, besideOthers: 86_400_000 }

export const isStaged = (file: RemoteFile): boolean => file.id.startsWith(prefix)

/** Where uploads are kept safe on disk, from their arrival until a turn moves them into a workspace. */
export interface Staging {
  /** Resolves when the bytes would survive a power failure. Throws `too_large`. */
  put(name: string, content: Readable, maxBytes: number): Promise<RemoteFile>
  open(file: RemoteFile): ReadableStream<Uint8Array>
  /** Leaves files alone that are kept elsewhere. */
  drop(file: RemoteFile): Promise<void>
  /** Removes files nobody waits for: from interrupted requests, or messages that were deleted or already known. */
  sweep(wanted: RemoteFile[], whose: keyof typeof strayMs): Promise<void>
}

export async function openStaging(directory: string): Promise<Staging> {
  await mkdir(directory, { recursive: true })
  const pathOf = (file: RemoteFile) => join(directory, basename(file.id.slice(prefix.length)))

  return {
    async put(name, content, maxBytes) {
      const id = newId('upload')
      const path = join(directory, id)
      let size = 0
      const counted = new Transform({
        transform(chunk: Buffer, _, done) {
          size += chunk.length
          done(size > maxBytes ? tooLarge(name, maxBytes) : null, chunk)
        },
      })
      try {
        await pipeline(content, counted, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
        await sync(path)
        await sync(directory)
      } catch (thrown) {
        await rm(path, { force: true })
        throw thrown
      }
      return { id: `${prefix}${id}`, name, size }
    },
    open: (file) => Readable.toWeb(createReadStream(pathOf(file))) as ReadableStream<Uint8Array>,
    async drop(file) {
      if (isStaged(file)) await rm(pathOf(file), { force: true })
    },
    async sweep(wanted, whose) {
      const kept = new Set(wanted.filter(isStaged).map((file) => basename(pathOf(file))))
      for (const name of await readdir(directory)) {
        const path = join(directory, name)
        if (!kept.has(name) && (await ageMs(path)) > strayMs[whose]) await rm(path, { force: true })
      }
    },
  }
}

const tooLarge = (name: string, maxBytes: number) =>
  new Failure(
    'file_too_large',
    words.uploadTooLarge({ name: JSON.stringify(name), size: sizeWords(maxBytes) }),
    words.uploadTooLargeRemedy(),
  )

async function ageMs(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined)
  return found === undefined ? 0 : Date.now() - found.mtimeMs
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
