import { constants } from 'node:fs'
import { mkdir, open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errnoOf } from '../kit/errno.ts'
import type { JsonObject } from '../kit/json.ts'

export const metadataName = '.metadata.json'

const readFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
/** What is written there is far shorter. */
const mostBytes = 65_536

/** Says that the files of a workspace were removed: when (ms), how many, and their bytes. */
export interface Cleaned {
  at: number
  files: number
  bytes: number
  /** How many days nobody had used it. */
  days: number
}

/**
 * Writes what is known about a session into its workspace, once, for people who look at the disk. It is a new file or
 * none, so a link in its place isn't followed.
 */
export async function writeMetadata(root: string, metadata: JsonObject): Promise<void> {
  try {
    await writeFile(join(root, metadataName), `${JSON.stringify(metadata, undefined, 2)}\n`, { flag: 'wx' })
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EEXIST') throw thrown
  }
}

/** Creates a workspace that contains only this record. */
export async function writeCleaned(root: string, metadata: JsonObject, cleaned: Cleaned): Promise<void> {
  await mkdir(root, { recursive: true })
  await writeMetadata(root, { ...metadata, cleaned: { ...cleaned } })
}

/** Undefined when its files were never removed, or the record is gone. */
export async function readCleaned(root: string): Promise<Cleaned | undefined> {
  try {
    await using handle = await open(join(root, metadataName), readFlags)
    const stat = await handle.stat()
    if (!stat.isFile() || stat.size > mostBytes) return undefined
    return cleanedIn(JSON.parse(await readFile(handle, 'utf8')))
  } catch (thrown) {
    if (errnoOf(thrown) !== undefined || thrown instanceof SyntaxError) return undefined
    throw thrown
  }
}

function cleanedIn(metadata: unknown): Cleaned | undefined {
  const cleaned: unknown = metadata instanceof Object && 'cleaned' in metadata ? metadata.cleaned : undefined
  if (!(cleaned instanceof Object)) return undefined
  const figures = new Map<string, unknown>(Object.entries(cleaned))
  const [at, files, bytes, days] = ['at', 'files', 'bytes', 'days'].map((name) => figures.get(name))
  const all =
    typeof at === 'number' && typeof files === 'number' && typeof bytes === 'number' && typeof days === 'number'
  return all && Number.isFinite(new Date(at).getTime()) ? { at, files, bytes, days } : undefined
}
