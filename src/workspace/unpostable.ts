import { isUtf8 } from 'node:buffer'
import type { Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { type FoundEntry, handfulsBelow, orNothing } from '../kit/files/below.ts'
import { foldersIn } from './count.ts'
import { isTooLong, normalize } from './paths.ts'
import { isLeftOut } from './walk.ts'

/** Something in outputs/ that isn't posted, although it looks as if it were. */
export interface Unpostable {
  path: string
  why: 'link' | 'hardLink' | 'special' | 'name' | 'path' | 'closed'
}

/** The clock of a file system may be this much behind, ms. */
const clockMs = 20

/** What in outputs/ was made or changed `since` (ms) and can't be posted. Hidden files aren't meant to be. */
export async function unpostable(root: string, since: number): Promise<Unpostable[]> {
  const found: Unpostable[] = []
  for (const outputs of await foldersIn(root, ['outputs']))
    for await (const entries of handfulsBelow(Buffer.from(outputs)))
      found.push(...(await Promise.all(entries.map((entry) => lookAt(root, entry, since)))).flat())
  return found.sort((one, other) => (one.path < other.path ? -1 : 1))
}

async function lookAt(root: string, { path, entry }: FoundEntry, since: number): Promise<Unpostable[]> {
  const stat = entry.isDirectory() ? undefined : await orNothing(() => lstat(path))
  if (stat === undefined || stat.ctimeMs < since - clockMs) return []
  const inside = path.subarray(Buffer.byteLength(root) + 1)
  const shown = inside.toString()
  const isHidden = shown
    .split('/')
    .some((name, at, { length }) => isLeftOut(name, at === length - 1 ? 'file' : 'directory'))
  if (isHidden) return []
  const why = isTooLong(shown) ? 'path' : isUtf8(inside) && isUsable(shown) ? whyNot(stat) : 'name'
  return why === undefined ? [] : [{ path: shown, why }]
}

function whyNot(stat: Stats): Unpostable['why'] | undefined {
  if (stat.isSymbolicLink()) return 'link'
  if (!stat.isFile()) return 'special'
  if (stat.nlink > 1) return 'hardLink'
  // It belongs to the bot, as the command did.
  return (stat.mode & 0o400) === 0 && process.geteuid?.() !== 0 ? 'closed' : undefined
}

function isUsable(path: string): boolean {
  try {
    normalize(path)
    return true
  } catch {
    return false
  }
}
