import type { Stats } from 'node:fs'
import type { WorkspaceEntry } from '../domain/workspace.ts'
import { Failure } from '../kit/failure.ts'
import { shown } from './failures.ts'
import { lstatOrNothing } from './file.ts'
import type { Folder } from './folder.ts'
import { isTemporary } from './temporary.ts'
import { workspaceWords as words } from './words.ts'

/** Links and pipes are `other`: they are listed, never followed. */
export function entryOf(path: string, stat: Stats): WorkspaceEntry {
  const kind = stat.isFile() ? 'file' : stat.isDirectory() ? 'directory' : 'other'
  return {
    path,
    kind,
    size: kind === 'file' ? stat.size : 0,
    modifiedAt: Math.floor(stat.mtimeMs),
    inode: stat.ino,
  }
}

const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The entries of an opened folder, sorted by name, without those that vanish meanwhile. */
export async function listFolder(folder: Folder, parts: string[], maxEntries: number): Promise<WorkspaceEntry[]> {
  const found = await folder.entries()
  if (found.length > maxEntries) throw tooMany(parts.join('/') || '.', maxEntries)
  const names = found.map(({ name }) => name).filter((name) => !isTemporary(name))
  const entries = names.sort(byName).map(async (name) => {
    const path = [...parts, name].join('/')
    const stat = await lstatOrNothing(folder.at(name))
    if (stat) return [entryOf(path, stat)]
    return hasLostBytes(name) ? [{ path, kind: 'other' as const, size: 0, modifiedAt: 0, inode: 0 }] : []
  })
  return (await Promise.all(entries)).flat()
}

/** A name that isn't UTF-8 has no usable path: it is listed, but can't be opened. */
const hasLostBytes = (name: string): boolean => name.includes('\ufffd')

export const tooMany = (path: string, maxEntries: number): Failure =>
  new Failure('too_many', words.tooMany({ path: shown(path), most: maxEntries }), words.tooManyRemedy())
