import { existsSync } from 'node:fs'
import { lstat, mkdtemp, realpath, rmdir, stat, statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { broken, type Finding, fine, mind } from '../domain/finding.ts'
import { ownFolders } from '../domain/own-folders.ts'
import { type Failure, reasonOf } from '../kit/failure.ts'
import { inspectDatabase, nodesIn } from '../store/inspect.ts'
import type { NodeSeen } from '../store/see-nodes.ts'
import { databaseFindings } from './database.ts'
import { formerFindings } from './former.ts'
import { beats } from './nodes.ts'
import { doctorWords } from './words.ts'

export interface DataPlace {
  dataDir: string
  /** A file, or the address of a server. */
  database: string
  /** A bot that has been silent for this long doesn't count as running, ms. */
  silentMs: number
  /** Why a start would refuse whatever database there is. */
  refused?: Failure | undefined
}

const gigabyte = 1024 ** 3
/** Below the first, the disk will soon be full; below the second, it practically is. */
const littleSpace = 2 * gigabyte
const noSpace = gigabyte / 5

/** Checks the data directory and its database. */
export async function* dataFindings({ dataDir, database, silentMs, refused }: DataPlace): AsyncGenerator<Finding> {
  const place = firstThatExists(dataDir)
  const fault = await writeFault(place, dataDir)
  if (fault !== undefined) {
    const remedy = doctorWords.dataDirNotWritableRemedy()
    yield broken(doctorWords.dataDirNotWritable({ dataDir, reason: fault }), remedy)
  } else if (place === dataDir) yield fine(doctorWords.dataDirWritable({ dataDir }))
  else yield fine(doctorWords.dataDirToCome({ dataDir }))

  yield spaceFinding(await freeIn(place))
  yield* linkFindings(dataDir)
  if (refused === undefined) yield* databaseFindings(database, silentMs)
  else yield broken(refused.message, refused.remedy)
  yield* formerFindings(dataDir, database)
}

/** Its folders may be on other disks. */
async function* linkFindings(dataDir: string): AsyncGenerator<Finding> {
  for (const link of ownFolders.map((name) => join(dataDir, name))) {
    const entry = await lstat(link).catch(() => undefined)
    if (!entry?.isSymbolicLink()) continue
    try {
      const target = await realpath(link)
      const reason = await writeFault(target, target)
      if (reason === undefined) yield fine(doctorWords.linkWritable({ link, target }))
      else yield broken(doctorWords.linkNotWritable({ link, target, reason }), doctorWords.linkNotWritableRemedy())
      yield spaceFinding(await freeIn(target))
    } catch (thrown) {
      yield broken(doctorWords.linkBroken({ link, reason: reasonOf(thrown) }), doctorWords.linkBrokenRemedy())
    }
  }
}

async function freeIn(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

export function spaceFinding(freeBytes: number): Finding {
  const gigabytes = (freeBytes / gigabyte).toFixed(1)
  const remedy = doctorWords.diskSpaceRemedy()
  if (freeBytes >= littleSpace) return fine(doctorWords.diskSpace({ gigabytes }))
  const little = doctorWords.littleDiskSpace({ gigabytes })
  return freeBytes < noSpace ? broken(little, remedy) : mind(little, remedy)
}

/** The bots that run on it. */
export async function botsOn({ database, silentMs }: DataPlace): Promise<NodeSeen[]> {
  try {
    const inspection = await inspectDatabase(database)
    return inspection === undefined ? [] : (await nodesIn(database, inspection, silentMs)).filter(beats)
  } catch {
    // Another check reports what is wrong with it.
    return []
  }
}

/** Whether one of this machine listens at this port. One that hasn't said where it listens may. */
export const listensAt = async (port: number, place: DataPlace): Promise<boolean> =>
  (await botsOn(place)).some(({ host, url }) => host === hostname() && (url === undefined || url.endsWith(`:${port}`)))

function firstThatExists(directory: string): string {
  const above = dirname(directory)
  return existsSync(directory) || above === directory ? directory : firstThatExists(above)
}

/** Permissions say nothing about a full or read-only disk, so try to write. */
async function writeFault(directory: string, dataDir: string): Promise<string | undefined> {
  try {
    if (!(await stat(directory)).isDirectory()) return directory === dataDir ? 'it is a file' : `${directory} is a file`
    await rmdir(await mkdtemp(join(directory, '.doctor-')))
    return undefined
  } catch (thrown) {
    return reasonOf(thrown)
  }
}
