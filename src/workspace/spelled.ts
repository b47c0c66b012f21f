import { errnoOf } from './failures.ts'
import { lstatOrNothing } from './file.ts'
import type { Folder } from './folder.ts'

/**
 * The name of an entry as its folder has it. People and models write an accent with its letter (NFC), while archives
 * from a Mac contain names with accents of their own, which look the same. What exists as it is asked for comes first.
 */
export async function spelledIn(folder: Folder, name: string): Promise<string> {
  // A name that isn't NFC was copied from a list, and is meant as it is.
  if (isPlain(name) || name !== name.normalize('NFC')) return name
  if ((await lstatOrNothing(folder.at(name))) !== undefined) return name
  const [same, another] = (await namesIn(folder)).filter((one) => one.normalize('NFC') === name)
  return same !== undefined && another === undefined ? same : name
}

const isPlain = (name: string): boolean => /^[\x20-\x7e]*$/.test(name)

async function namesIn(folder: Folder): Promise<string[]> {
  try {
    return (await folder.entries()).map((entry) => entry.name)
  } catch (thrown) {
    // A folder that can't be listed may still be written to.
    if (errnoOf(thrown) === 'EACCES') return []
    throw thrown
  }
}
