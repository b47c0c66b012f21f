import { lstat } from 'node:fs/promises'
import { errnoOf } from '../kit/errno.ts'

/** What is needed of an opened folder here. */
interface Listed {
  at(name: string): string
  entries(): Promise<{ name: string }[]>
}

/**
 * The name of an entry as its folder has it. People and models write an accent with its letter (NFC), while archives
 * from a Mac contain names with accents of their own, which look the same. What exists as it is asked for comes first.
 */
export async function spelledIn(folder: Listed, name: string): Promise<string> {
  // A name that isn't NFC was copied from a list, and is meant as it is.
  if (isPlain(name) || name !== name.normalize('NFC')) return name
  if (await exists(folder.at(name))) return name
  const [same, another] = (await namesIn(folder)).filter((one) => one.normalize('NFC') === name)
  return same !== undefined && another === undefined ? same : name
}

const isPlain = (name: string): boolean => /^[\x20-\x7e]*$/.test(name)

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return false
    throw thrown
  }
}

async function namesIn(folder: Listed): Promise<string[]> {
  try {
    return (await folder.entries()).map((entry) => entry.name)
  } catch (thrown) {
    // A folder that can't be listed may still be written to.
    if (errnoOf(thrown) === 'EACCES') return []
    throw thrown
  }
}
