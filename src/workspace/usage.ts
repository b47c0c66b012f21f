import { Failure } from '../kit/failure.ts'
import { type Amount, count, foldersIn } from './count.ts'
import type { FileContent } from './file.ts'
import { writableFolders } from './paths.ts'
import { workspaceWords as words } from './words.ts'

/** After this time others may have changed much on the disk, ms. */
const remeasureMs = 600_000

/** What is in uploads/, outputs/ and temp/, links not followed, without files that are still being written. */
export async function measure(root: string): Promise<Amount> {
  const { bytes, files } = await count(await foldersIn(root, writableFolders), { finished: true })
  return { bytes, files }
}

/** The space a write has reserved; returned when it fails. */
export interface Share {
  /** Reserves more bytes. Throws `quota`. */
  grow(bytes: number): Promise<void>
  /** The file is in place. */
  keep(): void
  /** The file isn't in place. After `keep` this does nothing. */
  release(): void
}

/**
 * Tracks the usage of a workspace: measured first, then updated by its own writes, and measured again after a command,
 * after a while, and before anything is refused. That also catches what people do on the disk.
 */
export class DiskUsage {
  readonly #root: string
  readonly #limits: Amount
  readonly #now: () => number
  #measured: Promise<Amount> | undefined
  #measuredAt = 0
  /** Writes in progress. */
  readonly #pending = new Set<Amount>()

  constructor(root: string, limits: Amount, now: () => number = () => performance.now()) {
    this.#root = root
    this.#limits = limits
    this.#now = now
  }

  get limits(): Amount {
    return this.#limits
  }

  /** The current usage; `anew` measures the disk. */
  current(anew = false): Promise<Amount> {
    if (anew || this.#measured === undefined || this.#now() - this.#measuredAt > remeasureMs) {
      this.#measuredAt = this.#now()
      const measured = measure(this.#root)
      this.#measured = measured
      measured.catch(() => {
        if (this.#measured === measured) this.#measured = undefined
      })
    }
    return this.#measured
  }

  /** Much may have changed on the disk, so the next call measures it. */
  forget(): void {
    this.#measured = undefined
  }

  /** Call before writing a file that replaces `replaced` bytes, or none. Throws `quota` when there are too many. */
  async share(replaced: number | undefined): Promise<Share> {
    const own: Amount = { bytes: -(replaced ?? 0), files: replaced === undefined ? 1 : 0 }
    this.#pending.add(own)
    const release = () => void this.#pending.delete(own)
    const grow = async (bytes: number) => {
      own.bytes += bytes
      if (own.files > 0 || own.bytes > 0) await this.#check(own)
    }
    try {
      if (own.files > 0) await this.#check(own)
      else await this.current()
    } catch (thrown) {
      release()
      throw thrown
    }
    return {
      grow,
      release,
      keep: () => {
        if (!this.#pending.delete(own)) return
        this.#measured = this.#measured?.then(({ bytes, files }) => ({
          bytes: bytes + own.bytes,
          files: files + own.files,
        }))
        this.#measured?.catch(() => {})
      },
    }
  }

  async #check(own: Amount): Promise<void> {
    if (this.#fits(await this.current())) return
    const there = await this.current(true)
    if (!this.#fits(there)) throw full(there, own, this.#limits)
  }

  #fits({ bytes, files }: Amount): boolean {
    for (const pending of this.#pending) {
      bytes += pending.bytes
      files += pending.files
    }
    return bytes <= this.#limits.bytes && files <= this.#limits.files
  }
}

/** Writes `content` with `write` if there is room; `replaced` is the size of the file it replaces. */
export async function withinQuota(
  usage: DiskUsage,
  replaced: number | undefined,
  content: FileContent,
  write: (content: FileContent) => Promise<void>,
): Promise<void> {
  const share = await usage.share(replaced)
  try {
    const isWhole = typeof content === 'string' || content instanceof Uint8Array
    if (isWhole) await share.grow(Buffer.byteLength(content))
    await write(isWhole ? content : counted(content, share))
    share.keep()
  } finally {
    share.release()
  }
}

async function* counted(content: AsyncIterable<Uint8Array>, share: Share): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    await share.grow(chunk.byteLength)
    yield chunk
  }
}

const figure = (count: number): string => count.toLocaleString('en')

function full(there: Amount, own: Amount, limits: Amount): Failure {
  if (there.files + own.files > limits.files) {
    const fact = words.fullOfFiles({ files: figure(there.files), allowed: figure(limits.files) })
    return new Failure('quota', fact, words.fullOfFilesRemedy())
  }
  const fact = words.fullOfBytes({ bytes: figure(there.bytes), allowed: figure(limits.bytes) })
  return new Failure('quota', fact, words.fullOfBytesRemedy())
}
