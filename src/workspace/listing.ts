import type { Stats } from 'node:fs'
import { BobbinError } from '../domain/errors.ts'
import type { WorkspaceEntry } from '../domain/workspace.ts'
import { shown } from './failures.ts'
import { lstatOrNothing } from './file.ts'
import type { Folder } from './folder.ts'
import { isTemporary } from './temporary.ts'

/** Links and pipes are `other`: they are seen, never followed. */
export function entryOf(path: string, stat: Stats): WorkspaceEntry {
  const kind = stat.isFile() ? 'file' : stat.isDirectory() ? 'directory' : 'other'
  return { path, kind, size: kind === 'file' ? stat.size : 0, modifiedAt: Math.floor(stat.mtimeMs) }
}

export const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The entries of an opened folder, sorted by name. What vanishes meanwhile is left out. */
export async function listFolder(folder: Folder, parts: string[], maxEntries: number): Promise<WorkspaceEntry[]> {
  const found = await folder.entries()
  if (found.length > maxEntries) throw tooMany(parts.join('/') || '.', maxEntries)
  const names = found.map(({ name }) => name).filter((name) => !isTemporary(name))
  const entries = names.sort(byName).map(async (name) => {
    const stat = await lstatOrNothing(folder.at(name))
    return stat ? [entryOf([...parts, name].join('/'), stat)] : []
  })
  return (await Promise.all(entries)).flat()
}

export const tooMany = (path: string, maxEntries: number): BobbinError =>
  new BobbinError('too_many', `${shown(path)} holds more than ${maxEntries} files.`, 'Name a folder further down.')
