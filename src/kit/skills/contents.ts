import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open, readdir } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { Failure } from '../failure.ts'
import { orNothing } from '../files/below.ts'

/** A skill's files, by their path within it. */
export type SkillFiles = ReadonlyMap<string, Uint8Array>

export interface SkillLimits {
  /** All files together, unpacked. */
  bytes: number
  files: number
}

/** How many folders deep a skill may be. */
const depth = 8
/** What systems and version control leave in folders. */
const litter = /^(?:__MACOSX|\.git|\.svn|\.hg|node_modules|__pycache__|\.venv)$|^(?:\.DS_Store|Thumbs\.db)$/
export const main = /^skill\.md$/i
/** Names with an own meaning on Windows, and anything that isn't visible. */
const strange = /[\p{C}\\:*?"<>|]|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)|[. ]$/iu

export const unsafe = (fact: string): Failure =>
  new Failure('unsafe_skill', `This skill can’t be used: ${fact}.`, 'Look at where it comes from before you try again.')

/** A path within a skill; undefined for what is left out. Throws `unsafe_skill`. */
export function safePath(path: string): string | undefined {
  const name = JSON.stringify(path.length > 120 ? `${path.slice(0, 120)}…` : path)
  if (path.startsWith('/') || /^[a-z]:/i.test(path) || path.includes('\\'))
    throw unsafe(`${name} is not a path within it`)
  const parts = path.normalize('NFC').split('/')
  if (parts.some((part) => litter.test(part))) return undefined
  if (parts.some((part) => part === '' || part === '.' || part === '..'))
    throw unsafe(`${name} leads out of its folder`)
  if (parts.some((part) => strange.test(part) || Buffer.byteLength(part) > 200))
    throw unsafe(`${name} is a strange name`)
  if (parts.length > depth) throw unsafe(`${name} is more than ${depth} folders deep`)
  return parts.join('/')
}

/** Collects files within the limits. */
export class Collected {
  readonly files = new Map<string, Uint8Array>()
  readonly #limits: SkillLimits
  readonly #known = new Set<string>()
  readonly #folders = new Set<string>()
  #bytes = 0

  constructor(limits: SkillLimits) {
    this.#limits = limits
  }

  /** Call with each piece before it is kept. */
  count(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes > this.#limits.bytes) throw unsafe(`unpacked, it has more than ${this.#limits.bytes} bytes`)
  }

  add(path: string, bytes: Uint8Array): void {
    // On some disks these would be the same file.
    const key = path.toLowerCase()
    if (this.#known.has(key)) throw unsafe(`it has ${JSON.stringify(path)} twice`)
    const above = foldersAbove(path)
    const both = this.#folders.has(key) ? path : above.find((folder) => this.#known.has(folder.toLowerCase()))
    if (both !== undefined) throw unsafe(`it has both a file and a folder ${JSON.stringify(both)}`)
    this.#known.add(key)
    for (const folder of above) this.#folders.add(folder.toLowerCase())
    this.files.set(path, bytes)
    if (this.files.size > this.#limits.files) throw unsafe(`it has more than ${this.#limits.files} files`)
  }
}

const foldersAbove = (path: string): string[] => {
  const names = path.split('/').slice(0, -1)
  return names.map((_, place) => names.slice(0, place + 1).join('/'))
}

/** The files below a folder. Links are refused. Throws `unsafe_skill`, `no_skill`. */
export async function filesInFolder(folder: string, limits: SkillLimits): Promise<SkillFiles> {
  const collected = new Collected(limits)
  const found = await orNothing(() => lstat(folder))
  if (found === undefined) throw new Failure('no_skill', `Path does not exist: ${folder}.`, 'Name a folder.')
  if (!found.isDirectory()) throw new Failure('no_skill', `Not a directory: ${folder}.`, 'Name a folder.')
  await collect(folder, '', collected)
  return collected.files
}

async function collect(folder: string, below: string, collected: Collected): Promise<void> {
  const entries = await readdir(join(folder, below), { withFileTypes: true })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = safePath(posix.join(below, entry.name))
    if (path === undefined) continue
    if (entry.isDirectory()) await collect(folder, path, collected)
    else if (!entry.isFile()) throw unsafe(`${JSON.stringify(path)} is a link, not a file`)
    else {
      await using handle = await open(join(folder, path), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
      collected.count((await handle.stat()).size)
      collected.add(path, await handle.readFile())
    }
  }
}

/** Its SKILL.md, also in lower case; undefined if there is none. Throws `unsafe_skill` if it isn't text. */
export function mainText(files: SkillFiles): string | undefined {
  const bytes = files.get('SKILL.md') ?? files.get('skill.md')
  if (bytes === undefined) return undefined
  // What has zeros isn't shown to people as text, and the model would read it all the same.
  if (bytes.includes(0)) throw unsafe('its SKILL.md has bytes that are no text')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw unsafe('its SKILL.md is not text in UTF-8')
  }
}

/** The same for the same files, wherever they come from. */
export function hashOfFiles(files: SkillFiles): string {
  const hash = createHash('sha256')
  for (const [path, bytes] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`${Buffer.byteLength(path)}:${path}${bytes.length}:`).update(bytes)
  return hash.digest('hex')
}
