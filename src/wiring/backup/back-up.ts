import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { link, open, rename, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { type Config, databasePlace } from '../../config/config.ts'
import { headerOf, paddingAfter, readTar, tarEnd } from '../../kit/archive/tar.ts'
import { Failure, reasonOf } from '../../kit/failure.ts'
import { hasDatabase } from '../../store/place.ts'
import { copySqlite } from '../../store/sqlite/copy.ts'
import { version } from '../version.ts'
import { wiringWords } from '../words.ts'
import { dataFolders } from './data-folders.ts'
import { type About, aboutName, databaseName, type FolderLine, type Line, manifestName, readArchive } from './format.ts'
import { sweep, takeScratch } from './scratch.ts'
import { gone, isRefused, linkedAt, readFlags, type Source, type Sources, sourceAt, sourcesIn } from './sources.ts'

export interface BackUpOptions {
  config: Pick<Config, 'dataDir' | 'configDir' | 'databaseUrl'>
  /** `.env`, if there is one. */
  envFile: string | undefined
  /** The archive. */
  file: string
  signal: AbortSignal
}

export interface BackedUp {
  file: string
  bytes: number
  files: number
  /** Links and the like, which aren't in it. */
  leftOut: number
  /** Paths of files and folders that aren't in it because the bot may not read them, or their paths don't fit. */
  unreadable: string[]
  /** Paths of files that got so much longer meanwhile that only their beginning is in it. */
  cut: string[]
  hasEnvironment: boolean
}

const compression = 4

/**
 * Puts everything a bot on SQLite needs into one archive, while it runs or not. The archive has its name only when it
 * is complete and was read again. Throws `backup_of_postgres`, `no_database`, `file_exists`, `bad_place`,
 * `database_damaged`, `link_broken`.
 */
export async function backUp({ config, envFile, file, signal }: BackUpOptions): Promise<BackedUp> {
  const [database, target] = [databasePlace(config), resolve(file)]
  refuse(config, database, target)
  const folder = dirname(target)
  await sweep(folder)
  const scratch = await takeScratch(folder).catch((thrown) => {
    throw badPlace(
      folder,
      thrown,
      isFull(thrown) ? wiringWords.fullFolderRemedy() : wiringWords.folderNotWritableRemedy(),
    )
  })
  try {
    const archive = join(scratch.path, basename(target))
    const copy = join(scratch.path, 'bobbin.db')
    // A turn may take over an upload at any time, and the copy of the database may not know it yet.
    const arrived = await sourcesIn(join(config.dataDir, 'incoming'), 'data/incoming')
    const early = await keepEarly(arrived.files, scratch.path)
    copySqlite(database, copy)
    const [data, settings] = [await dataFolders(config, folder), await sourcesIn(config.configDir, 'config', true)]
    const env = envFile === undefined ? [] : await linkedAt(envFile, 'env')
    const first = await sourceAt(copy, databaseName)
    const links = new Map(early.map(({ path, file }) => [path, file]))
    const files = data.files.map((one) => ({ ...one, early: links.get(one.path) }))
    const known = new Map([...first, ...early, ...files, ...settings.files, ...env].map((one) => [one.path, one]))
    signal.throwIfAborted()
    const written = await write(archive, { files: [...known.values()], folders: data.folders }, signal)
    await readArchive(readTar(createReadStream(archive).pipe(createGunzip())), forNobody)
    const { size } = await stat(archive)
    await putInPlace(archive, target)
    const leftOut = data.leftOut + settings.leftOut
    const unread = [...arrived.unreadable, ...data.unreadable, ...settings.unreadable, ...written.unreadable]
    const about = { leftOut, unreadable: [...new Set(unread)], hasEnvironment: env.length > 0 }
    return { ...written, file: target, bytes: size, ...about }
  } catch (thrown) {
    // Nothing is written anywhere else. The words for a full disk are about the one with Bobbin's data.
    throw isFull(thrown) ? badPlace(folder, thrown, wiringWords.fullFolderRemedy()) : thrown
  } finally {
    await scratch.remove()
  }
}

const isFull = (thrown: unknown): boolean =>
  /^(ENOSPC|EDQUOT|EROFS|SQLITE_FULL)$/.test(String((thrown as NodeJS.ErrnoException).code))

const badPlace = (folder: string, thrown: unknown, remedy: string): Failure =>
  new Failure('bad_place', wiringWords.folderNotWritable({ folder, reason: reasonOf(thrown) }), remedy, {
    cause: thrown,
  })

function refuse({ databaseUrl }: BackUpOptions['config'], database: string, target: string): void {
  if (databaseUrl !== undefined)
    throw new Failure('backup_of_postgres', wiringWords.backupOfPostgres(), wiringWords.backupOfPostgresRemedy())
  if (!hasDatabase(database))
    throw new Failure('no_database', wiringWords.noDatabaseToBackUp({ database }), wiringWords.dataDirOfBackupRemedy())
  if (existsSync(target)) throw fileExists(target)
}

const fileExists = (target: string): Failure =>
  new Failure('file_exists', `${target} exists already.`, wiringWords.fileExistsRemedy())

/** Links to the files, or copies: their own names may be gone by the time they are archived. */
async function keepEarly(files: Source[], scratch: string): Promise<Source[]> {
  const kept: Source[] = []
  for (const [index, { file, path, size }] of files.entries()) {
    const to = join(scratch, `incoming-${index}`)
    try {
      await link(file, to).catch(() => pipeline(createReadStream(file), createWriteStream(to, { mode: 0o600 })))
      kept.push({ file: to, path, size })
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown
    }
  }
  return kept
}

interface Written {
  /** How many. */
  files: number
  unreadable: string[]
  cut: string[]
}

const bytesOf = (files: Source[]): number => files.reduce((sum, { size }) => sum + size, 0)

/** For files that get longer before they are archived: an archive says first how many bytes it has at most. */
const spareFor = (bytes: number): number => 64 * 1024 ** 2 + Math.floor(bytes / 10)

type Content = Pick<Sources, 'files' | 'folders'>

async function write(archive: string, content: Content, signal: AbortSignal): Promise<Written> {
  const { files, folders } = content
  const bytes = bytesOf(files) + spareFor(bytesOf(files))
  const count = files.length + folders.length
  const about = { format: 1 as const, version, createdAt: new Date().toISOString(), files: count, bytes }
  const to = createWriteStream(archive, { flags: 'wx', mode: 0o600, flush: true })
  const written: Written = { files: 0, unreadable: [], cut: [] }
  await pipeline(Readable.from(pieces(about, content, written)), createGzip({ level: compression }), to, { signal })
  return written
}

async function* pieces(about: About, { files, folders }: Content, written: Written): AsyncGenerator<Buffer> {
  yield* inMemory(aboutName, JSON.stringify(about))
  const lines: string[] = []
  let spare = about.bytes - bytesOf(files)
  for (const source of files) {
    await using handle = await openSource(source).catch((thrown) => {
      if (!isRefused(thrown)) throw thrown
      written.unreadable.push(source.file)
      return undefined
    })
    if (handle === undefined) continue
    const { size: now, mode, mtimeMs: modifiedAt } = await handle.stat()
    const fits = now <= source.size + spare
    if (!fits) written.cut.push(source.file)
    const size = fits ? now : source.size
    spare += source.size - size
    yield headerOf({ path: source.path, size, mode, modifiedAt })
    const hash = createHash('sha256')
    let read = 0
    if (size > 0)
      for await (const piece of handle.createReadStream({ end: size - 1, autoClose: false })) {
        hash.update(piece)
        read += piece.length
        yield piece
      }
    // It was cut meanwhile, but its header is already written.
    for (let left = size - read; left > 0; left -= 65_536) {
      const filling = Buffer.alloc(Math.min(left, 65_536))
      hash.update(filling)
      yield filling
    }
    yield paddingAfter(size)
    const line: Line = { path: source.path, size: read, sha256: hash.digest('hex'), modifiedAt }
    lines.push(JSON.stringify(line))
    written.files++
  }
  for (const folder of folders) lines.push(JSON.stringify({ folder } satisfies FolderLine))
  yield* inMemory(manifestName, lines.join('\n'))
  yield tarEnd
}

async function openSource({ file, early }: Source) {
  const handle = await open(file, readFlags).catch(gone)
  return handle ?? (early === undefined ? undefined : open(early, readFlags))
}

function* inMemory(path: string, text: string): Generator<Buffer> {
  const content = Buffer.from(text)
  yield headerOf({ path, size: content.length, mode: 0o600, modifiedAt: Date.now() })
  yield content
  yield paddingAfter(content.length)
}

const forNobody = {
  async begin() {},
  async file(_path: string, _entry: unknown, content: AsyncIterable<Buffer>) {
    for await (const _ of content);
  },
}

/** Under its name, in one step, and over nothing. */
async function putInPlace(archive: string, target: string): Promise<void> {
  try {
    await link(archive, target)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') throw fileExists(target)
    // Some file systems have no links.
    await rename(archive, target)
  }
  await using folder = await open(dirname(target))
  await folder.sync()
}
