import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { mkdir, rename, unlink } from 'node:fs/promises'
import { unlock } from './count.ts'
import { errnoOf } from './failures.ts'
import { lstatOrNothing } from './file.ts'
import type { Folder } from './folder.ts'
import { folders } from './paths.ts'

type State = 'fine' | 'missing' | 'locked' | 'link' | 'file' | 'special'

/**
 * Repairs the folders of a workspace, whatever a command left in their place; links are never followed. Returns what
 * was done, in sentences.
 */
export async function mendFolders(top: Folder): Promise<string[]> {
  const missing: string[] = []
  const done: string[] = []
  // temp/ comes first, because what stood in place of another folder is moved there.
  for (const name of folders.toReversed()) {
    const state = stateOf(await lstatOrNothing(top.at(name)))
    if (state === 'missing' && (await make(top, name))) missing.push(`${name}/`)
    if (state === 'missing' || state === 'fine') continue
    done.push(await mended(top, name, state))
  }
  if (missing.length > 0)
    done.unshift(`${listed(missing.reverse())} missing, so I created ${one(missing)} again, empty.`)
  return done
}

const one = (names: string[]): string => (names.length === 1 ? 'it' : 'them')
const listed = (names: string[]): string =>
  names.length === 1 ? `${names[0]} was` : `${names.slice(0, -1).join(', ')} and ${names.at(-1)} were`

function stateOf(stat: Stats | undefined): State {
  if (stat === undefined) return 'missing'
  if (stat.isSymbolicLink()) return 'link'
  if (stat.isFile()) return 'file'
  if (!stat.isDirectory()) return 'special'
  return (stat.mode & 0o700) === 0o700 ? 'fine' : 'locked'
}

async function mended(top: Folder, name: string, state: Exclude<State, 'fine' | 'missing'>): Promise<string> {
  if (state === 'locked') {
    await unlock(Buffer.from(top.at(name)))
    return `${name}/ couldn’t be used with the permissions it had, so I reset them.`
  }
  if (state === 'file') {
    const kept = await moveToTemp(top, name)
    return `There was a file instead of the folder ${name}/: I moved it to ${kept} and created ${name}/ again, empty.`
  }
  // Neither a link nor a pipe has content of its own.
  await unlink(top.at(name))
  await make(top, name)
  const what = state === 'link' ? 'a link, and links are never followed' : 'something that isn’t a folder'
  return `Instead of the folder ${name}/ there was ${what}: I removed it and created ${name}/ again, empty.`
}

/** The name is one that the next opening moves back after a crash; see `sweepRemoved`. */
async function moveToTemp(top: Folder, name: string): Promise<string> {
  const number = randomBytes(6).toString('hex')
  const aside = `.removed-${name}-${number}`
  await rename(top.at(name), top.at(aside))
  await make(top, name)
  const kept = `temp/${name}-${number}`
  await rename(top.at(aside), top.at(kept))
  return kept
}

/** False when somebody else was first. */
async function make(top: Folder, name: string): Promise<boolean> {
  try {
    await mkdir(top.at(name))
    return true
  } catch (thrown) {
    if (errnoOf(thrown) === 'EEXIST') return false
    throw thrown
  }
}
