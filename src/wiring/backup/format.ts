import { createHash } from 'node:crypto'
import { z } from 'zod'
import { badArchive, type TarEntry } from '../../kit/archive/tar.ts'
import type { Failure } from '../../kit/failure.ts'
import { wiringWords } from '../words.ts'

// An archive has `about.json` first, then files below `data/` and `config/`, perhaps `env`, and `manifest.jsonl` last,
// which also has the empty folders.

export const aboutName = 'about.json'
export const manifestName = 'manifest.jsonl'
export const databaseName = 'data/bobbin.db'

/** What is known before the files are read. At most this many files, empty folders included, and bytes follow. */
const aboutSchema = z.strictObject({
  format: z.literal(1),
  version: z.string().max(100),
  createdAt: z.iso.datetime(),
  files: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
})
export type About = z.infer<typeof aboutSchema>

const lineSchema = z.strictObject({
  path: z.string(),
  size: z.int().nonnegative(),
  sha256: z.string(),
  /** ms */
  modifiedAt: z.number(),
})
export type Line = z.infer<typeof lineSchema>

/** An empty folder. */
const folderSchema = z.strictObject({ folder: z.string() })
export type FolderLine = z.infer<typeof folderSchema>

const anyLine = z.union([lineSchema, folderSchema])

const mostAboutBytes = 65_536
/** A line of the manifest for a path of 4,096 bytes, escaped. */
const mostLineBytes = 32_768

/** Where an entry may go. Throws `bad_archive`. */
function checkPath(path: string): void {
  const parts = path.split('/')
  const isOurs = path === 'env' || (parts.length > 1 && ['data', 'config'].includes(parts[0] ?? ''))
  const isStrange = parts.some((part) => ['', '.', '..'].includes(part)) || /[\0\\]/.test(path)
  if (!isOurs || isStrange || Buffer.byteLength(path) > 4_096)
    throw badArchive(`it has a file at ${JSON.stringify(path.slice(0, 200))}`)
}

/** What becomes of the files of an archive; the content has to be read. */
interface Sink {
  begin(about: About): Promise<void>
  file(path: string, entry: TarEntry, content: AsyncIterable<Buffer>): Promise<void>
}

/** Reads a whole archive, and compares each file with the manifest. Throws `bad_archive`. */
export async function readArchive(
  entries: AsyncGenerator<TarEntry>,
  sink: Sink,
): Promise<{ about: About; lines: Line[]; folders: string[] }> {
  const found = new Map<string, { size: number; sha256: string }>()
  let about: About | undefined
  let bytes = 0
  for await (const entry of entries) {
    if (about === undefined) {
      if (entry.path !== aboutName) throw badArchive(wiringWords.foreignArchive())
      about = parsed(aboutSchema, (await textOf(entry, mostAboutBytes)) || '{}')
      await sink.begin(about)
      continue
    }
    if (entry.path === manifestName) {
      const text = await textOf(entry, mostLineBytes * about.files)
      return { about, ...compared(text, found, about) }
    }
    checkPath(entry.path)
    if (found.has(entry.path)) throw badArchive(`it has two files at ${JSON.stringify(entry.path)}`)
    bytes += entry.size
    if (found.size >= about.files || bytes > about.bytes) throw tooMuch()
    const hash = createHash('sha256')
    await sink.file(entry.path, entry, hashing(entry.content, hash))
    found.set(entry.path, { size: entry.size, sha256: hash.digest('hex') })
  }
  throw badArchive('it has no list of its files')
}

async function* hashing(content: AsyncGenerator<Buffer>, hash: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  for await (const piece of content) {
    hash.update(piece)
    yield piece
  }
}

async function textOf({ size, content }: TarEntry, most: number): Promise<string> {
  if (size > most) throw badArchive('its description is too long')
  const pieces: Buffer[] = []
  for await (const piece of content) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces).toString('utf8')
}

function parsed<Schema extends z.ZodType>(schema: Schema, text: string): z.infer<Schema> {
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    throw badArchive('a newer version of Bobbin made it, or it is damaged')
  }
}

function compared(text: string, found: Map<string, { size: number; sha256: string }>, { files }: About) {
  const all = text.split('\n').filter((line) => line !== '')
  if (all.length > files) throw tooMuch()
  const [lines, folders]: [Line[], string[]] = [[], []]
  for (const line of all.map((one) => parsed(anyLine, one))) {
    if ('folder' in line) {
      checkPath(line.folder)
      folders.push(line.folder)
      continue
    }
    const { path, sha256, size } = line
    const one = found.get(path)
    if (one?.sha256 !== sha256 || one.size < size) throw badArchive(`${JSON.stringify(path)} is missing or damaged`)
    found.delete(path)
    lines.push(line)
  }
  const [more] = found.keys()
  if (more !== undefined) throw badArchive(`${JSON.stringify(more)} isn’t in its list`)
  return { lines, folders }
}

const tooMuch = (): Failure => badArchive('it has more in it than it says')
