import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { mkdir, rename, unlink } from 'node:fs/promises'
import { errnoOf } from '../kit/errno.ts'
import { unlock } from '../kit/files/below.ts'
import { listed } from '../kit/words/list.ts'
import { lstatOrNothing } from './file.ts'
import type { Folder } from './folder.ts'
import { folders } from './paths.ts'
import { workspaceWords as words } from './words.ts'

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
    done.unshift(words.foldersMissing({ count: missing.length, folders: listed(missing.reverse()) }))
  return done
}

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
    return words.permissionsReset({ folder: name })
  }
  if (state === 'file') {
    const kept = await moveToTemp(top, name)
    return words.fileMovedAway({ folder: name, kept })
  }
  // Neither a link nor a pipe has content of its own.
  await unlink(top.at(name))
  await make(top, name)
  return state === 'link' ? words.linkRemoved({ folder: name }) : words.specialRemoved({ folder: name })
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
