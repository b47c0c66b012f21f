import { constants, createReadStream, createWriteStream, existsSync } from 'node:fs'
import { access, mkdir, readdir, rm, stat, statfs, truncate, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Config } from '../../config/config.ts'
import { badArchive, readTar, type TarEntry } from '../../kit/archive/tar.ts'
import { systemClock } from '../../kit/clock.ts'
import { Failure, reasonOf } from '../../kit/failure.ts'
import { sizeWords } from '../../kit/text/shown.ts'
import { countInForce, type InForce } from '../../store/in-force.ts'
import { makePrivate } from '../../store/make-private.ts'
import { refuseDamaged } from '../../store/sqlite/copy.ts'
import { Store } from '../../store/store.ts'
import { storeWords } from '../../store/words.ts'
import { wiringWords } from '../words.ts'
import { restoredName } from './data-folders.ts'
import { type About, databaseName, type Line, readArchive } from './format.ts'
import { forgetMoved, movedFrom, ofOthers, putInPlace } from './put-in-place.ts'
import { isRestored, stagingName } from './staging.ts'
import { holdName, type Staging, takeStaging } from './take-staging.ts'

export interface RestoreOptions {
  config: Pick<Config, 'dataDir' | 'databaseUrl'>
  /** The archive. */
  file: string
  signal: AbortSignal
}

export interface Restored {
  about: About
  /** The steps of the schema that the archive's version didn't know. */
  migrated: string[]
  /** As of when the backup was made. */
  inForce: InForce
  /** Where the configuration is now, to be compared with the one in force. */
  settings: string
}

/**
 * Puts a backup into an empty data directory. Until everything was checked, it is in a folder of its own there; the
 * database comes last. Throws `restore_on_postgres`, `no_archive`, `restore_running`, `not_empty`, `disk_full`,
 * `bad_archive`, `database_damaged`, `migration_failed`.
 */
export async function restore({ config, file, signal }: RestoreOptions): Promise<Restored> {
  const { dataDir } = config
  if (config.databaseUrl !== undefined)
    throw new Failure(
      'restore_on_postgres',
      'Backups of `bobbin backup` are restored to SQLite, and DATABASE_URL is set.',
      wiringWords.restoreOnPostgresRemedy(),
    )
  try {
    await access(file, constants.R_OK)
    if ((await stat(file)).isDirectory()) throw new Error('it is a directory')
  } catch (thrown) {
    const isClosed = (thrown as NodeJS.ErrnoException).code === 'EACCES'
    const remedy = isClosed ? wiringWords.closedArchiveRemedy() : wiringWords.noArchiveRemedy()
    throw new Failure('no_archive', `${file} can’t be read: ${reasonOf(thrown)}.`, remedy)
  }
  makePrivate(dataDir)
  const staging = await begin(dataDir)
  try {
    const { about, lines, folders } = await unpack(file, staging.path, signal)
    for (const folder of folders) await contradicting(() => makeFolder(join(staging.path, folder)))
    const { migrated, inForce } = await prepare(join(staging.path, databaseName))
    await mend(staging.path, lines)
    signal.throwIfAborted()
    await putInPlace(staging.path, dataDir)
    return { about, migrated, inForce, settings: join(dataDir, restoredName) }
  } finally {
    await staging.remove()
  }
}

/** Returns the folder to unpack into. What an earlier restore has left that was killed is removed. */
async function begin(dataDir: string): Promise<Staging> {
  // A folder of somebody else must never look like a restore that isn't finished.
  const found = await readdir(dataDir)
  if (!found.includes(stagingName)) refuseFilled(dataDir, found)
  const staging = await takeStaging(dataDir)
  try {
    await empty(dataDir, staging)
    return staging
  } catch (thrown) {
    await (staging.isNew ? staging.remove() : staging.leave())
    throw thrown
  }
}

function refuseFilled(dataDir: string, names: string[]): void {
  const found = names.filter((name) => name !== stagingName && !ofOthers.includes(name))
  if (found.length === 0) return
  const fact = `${dataDir} isn’t empty: it has ${found.slice(0, 3).join(', ')}${found.length > 3 ? ', …' : ''}.`
  throw new Failure('not_empty', fact, wiringWords.emptyDataDirRemedy())
}

/** Removes only what an earlier restore has made, which was killed. */
async function empty(dataDir: string, { path, isNew }: Staging): Promise<void> {
  if (!isNew && isRestored(dataDir))
    throw new Failure('not_empty', wiringWords.restoredAlready({ dataDir }), wiringWords.restoredAlreadyRemedy())
  const moved = await movedFrom(path)
  const found = await readdir(dataDir)
  refuseFilled(
    dataDir,
    found.filter((name) => !moved.includes(name)),
  )
  for (const name of moved) await rm(join(dataDir, name), { recursive: true, force: true })
  // Before the rest, because what isn't there any more counts as moved.
  await forgetMoved(path)
  for (const name of await readdir(path)) if (name !== holdName) await rm(join(path, name), { recursive: true })
}

async function unpack(file: string, staging: string, signal: AbortSignal) {
  const source = createReadStream(file)
  const unzipped = createGunzip()
  const fed = pipeline(source, unzipped, { signal }).catch(() => {})
  try {
    const read = await readArchive(readTar(unzipped), {
      begin: (about) => refuseTooLarge(about, staging),
      file: (path, entry, content) => place(join(staging, path), entry, content),
    })
    if (!existsSync(join(staging, databaseName))) throw badArchive('it has no database')
    return read
  } catch (thrown) {
    signal.throwIfAborted()
    const isZlib = String((thrown as NodeJS.ErrnoException).code).startsWith('Z_')
    throw isZlib ? badArchive('it isn’t compressed with gzip, or it is damaged') : thrown
  } finally {
    source.destroy()
    unzipped.destroy()
    await fed
  }
}

async function refuseTooLarge({ bytes }: About, staging: string): Promise<void> {
  const { bavail, bsize } = await statfs(staging)
  const free = bavail * bsize
  if (bytes <= free) return
  const fact = wiringWords.diskTooFull({ bytes: sizeWords(bytes), free: sizeWords(free) })
  throw new Failure('disk_full', fact, wiringWords.diskTooFullRemedy())
}

const place = (to: string, { mode }: TarEntry, content: AsyncIterable<Buffer>): Promise<void> =>
  contradicting(async () => {
    await makeFolder(dirname(to))
    await pipeline(content, createWriteStream(to, { flags: 'wx', mode: mode & 0o777, flush: true }))
  })

const makeFolder = (folder: string) => mkdir(folder, { recursive: true, mode: 0o700 })

/** One file may stand where another one needs a folder, or the other way round. */
async function contradicting(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (thrown) {
    const isContradiction = ['EEXIST', 'ENOTDIR', 'EISDIR'].includes(String((thrown as NodeJS.ErrnoException).code))
    throw isContradiction ? badArchive('its files contradict each other') : thrown
  }
}

async function prepare(database: string): Promise<Pick<Restored, 'migrated' | 'inForce'>> {
  refuseDamaged(database, 'of this backup', storeWords.damagedBackupRemedy())
  const store = await Store.open(database, systemClock)
  try {
    return { migrated: store.migrated, inForce: await countInForce(store.db, systemClock.now()) }
  } finally {
    await store.close()
  }
}

/** Files that became shorter while they were archived, and the times of all. */
async function mend(staging: string, lines: Line[]): Promise<void> {
  for (const { path, size, modifiedAt } of lines) {
    const file = join(staging, path)
    if (path === databaseName) continue
    if ((await stat(file)).size > size) await truncate(file, size)
    await utimes(file, new Date(), new Date(modifiedAt))
  }
}
