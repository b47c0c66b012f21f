import { isUtf8 } from 'node:buffer'
import { type Entry, fromBufferPromise, getFileNameLowLevel, type ZipFile } from 'yauzl'
import { Failure, reasonOf } from '../failure.ts'
import { damaged, neverOpened, notReadable, type ParseLimits, tooComplex } from './parse.ts'
import { codePageOf } from './zip-code-page.ts'
import { relistedZip, trimmedZip } from './zip-mend.ts'

interface ZipEntry {
  name: string
  /** In bytes, as the archive says. Never trusted: the actual bytes are counted. */
  size: number
  isEncrypted: boolean
}

/** A zip archive in memory. The limits apply to everything that is ever unpacked from it. */
export interface Zip {
  /** Files, without folders, in the archive's order. */
  entries: ZipEntry[]
  /** A sentence, if not all of it is there. */
  notes: string[]
  /** Case, and the kind of slash, don't matter in names. */
  has(name: string): boolean
  /** Throws `damaged` if there is none of that name, `too_complex` above the limits. */
  read(name: string): Promise<Buffer>
  /** The same, piece by piece. `again`: what was unpacked of it before doesn't count once more. */
  pieces(name: string, again?: boolean): AsyncGenerator<Buffer>
  /** Unpacks everything once and forgets it: before a library that unpacks without a limit gets the file. */
  check(): Promise<void>
}

export async function openZip(bytes: Uint8Array, limits: ParseLimits): Promise<Zip> {
  const room = { bytes: limits.unpackedBytes }
  const { file, list, isMended } = await listOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), limits)
  const found = new Map<string, Entry>()
  const names = new Map<string, string>()
  for (const entry of list) {
    if (entry.fileName.endsWith('/')) continue
    found.set(entry.fileName, entry)
    if (!names.has(plain(entry.fileName))) names.set(plain(entry.fileName), entry.fileName)
  }
  const entryOf = (name: string): Entry | undefined => found.get(name) ?? found.get(names.get(plain(name)) ?? '')

  /** Bytes of each that were counted. */
  const counted = new Map<Entry, number>()

  async function* unpack(entry: Entry, again = false): AsyncGenerator<Buffer> {
    if (entry.isEncrypted()) throw neverOpened()
    const before = again ? (counted.get(entry) ?? 0) : 0
    let bytes = 0
    for await (const piece of await file.openReadStreamPromise(entry)) {
      bytes += piece.length
      room.bytes -= Math.min(piece.length, Math.max(0, bytes - before))
      counted.set(entry, Math.max(before, bytes))
      if (room.bytes < 0) throw tooComplex(`unpacked, it has more than ${limits.unpackedBytes} bytes`)
      yield piece
    }
  }

  async function* pieces(name: string, again = false): AsyncGenerator<Buffer> {
    const entry = entryOf(name)
    if (entry === undefined) throw damaged(`${name} is missing in it`)
    const unpacked = unpack(entry, again)
    try {
      for (;;) {
        const { value, done } = await orDamaged(() => unpacked.next())
        if (done) return
        yield value
      }
    } finally {
      await unpacked.return(undefined)
    }
  }

  async function read(name: string): Promise<Buffer> {
    return Buffer.concat(await Array.fromAsync(pieces(name)))
  }

  return {
    entries: [...found.values()].map((entry) => ({
      name: entry.fileName,
      size: entry.uncompressedSize,
      isEncrypted: entry.isEncrypted(),
    })),
    notes: isMended ? ['It ends in the middle, or is damaged: what could not be found was left out.'] : [],
    has: (name) => entryOf(name) !== undefined,
    read,
    pieces,
    async check() {
      const before = room.bytes
      await orDamaged(async () => {
        for (const entry of found.values()) for await (const _ of unpack(entry));
      })
      room.bytes = before
    },
  }
}

const plain = (name: string): string => name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase()

interface Listing {
  file: ZipFile
  list: Entry[]
  isMended: boolean
}

/** The files that it lists; without a list of its own, those that were found. */
async function listOf(bytes: Buffer, limits: ParseLimits): Promise<Listing> {
  try {
    return { ...(await listIn(trimmedZip(bytes), limits)), isMended: false }
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code !== 'damaged') throw thrown
    const relisted = relistedZip(bytes, limits.archiveEntries)
    if (relisted === undefined) throw thrown
    return { ...(await listIn(relisted, limits)), isMended: true }
  }
}

function listIn(bytes: Buffer, limits: ParseLimits): Promise<Omit<Listing, 'isMended'>> {
  return orDamaged(async () => {
    // Names are only shown: one that leads out of a folder is no reason to refuse the others.
    const file = await fromBufferPromise(bytes, { validateEntrySizes: false, decodeStrings: false })
    if (file.entryCount > limits.archiveEntries) throw tooComplex(`it holds ${file.entryCount} files`)
    const list: Entry[] = []
    for await (const entry of file.eachEntry()) list.push(entry)
    nameAll(list)
    return { file, list }
  })
}

const inUtf8 = 0x800

/** Some programs, such as those of macOS, write names in UTF-8 without saying so; old ones, in their code page. */
function nameAll(entries: Entry[]): void {
  const plain: Entry[] = []
  for (const entry of entries) {
    const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry
    const isPlain = (generalPurposeBitFlag & inUtf8) === 0 && !isUtf8(fileNameRaw)
    entry.fileName = getFileNameLowLevel(isPlain ? 0 : inUtf8, fileNameRaw, extraFields, false)
    // Further fields may hold it in UTF-8.
    if (isPlain && entry.fileName === getFileNameLowLevel(0, fileNameRaw, [], false)) plain.push(entry)
  }
  const page = plain.length === 0 ? undefined : codePageOf(plain.map(({ fileNameRaw }) => fileNameRaw))
  if (page === undefined) return
  const decoder = new TextDecoder(page)
  for (const entry of plain) entry.fileName = decoder.decode(entry.fileNameRaw).replaceAll('\\', '/')
}

async function orDamaged<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof Error && /strong encryption|compression method/.test(thrown.message)) {
      throw notReadable('packed or encrypted in an unusual way', 'Ask for it packed as a plain .zip, or for a PDF.')
    }
    throw thrown instanceof Failure ? thrown : damaged(`it isn’t a complete archive (${reasonOf(thrown)})`, thrown)
  }
}
