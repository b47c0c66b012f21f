import { mkdir, readdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { doAll } from '../kit/do-all.ts'
import { orNothing } from '../kit/files/below.ts'
import { removeTree } from '../kit/files/remove-tree.ts'
import { holdsMore, moveAside, moveBack } from './aside.ts'
import { type Amount, count } from './count.ts'
import { lstatOrNothing } from './file.ts'
import { measure } from './usage.ts'

/** Bytes of the files below a directory, links not followed; 0 when it doesn't exist. */
export const bytesIn = async (directory: string): Promise<number> => (await count([directory])).bytes

/** Whatever has this name is moved, not followed. A folder that isn't there isn't made. */
export async function emptyFolder(root: string, folder: string): Promise<void> {
  const aside = await moveAside(join(root, folder))
  if (aside === undefined) return
  await mkdir(join(root, folder), { recursive: true })
  await removeTree(aside)
}

/**
 * Runs work if nobody needs the workspace, and lets nobody begin to meanwhile, in any process. Work may run several
 * times. Resolves with whether the last time ran it: earlier ones were undone, and somebody may have begun since.
 */
export type WhileIdle = (work: () => Promise<void>) => Promise<boolean>

/**
 * Removes a workspace and returns what was in it. `mark` leaves a record in its place; if that fails, or the workspace
 * is needed after all, it comes back; what keeps it from that is only reported. Undefined when it stays, or when there
 * is nothing to remove.
 */
export async function removeWorkspace(
  root: string,
  whileIdle: WhileIdle,
  mark: (removed: Amount) => Promise<void>,
  report: (thrown: unknown) => void,
): Promise<Amount | undefined> {
  if (!(await holdsMore(root))) return undefined
  // This may take long. The result can only be wrong if the workspace stays anyway.
  const removed = await measure(root)
  let aside: string | undefined
  const putBack = async () => {
    const moved = aside
    aside = undefined
    if (moved !== undefined) await moveBack(moved, root).catch(report)
  }
  const putBackAndThrow = async (thrown: unknown): Promise<never> => {
    await putBack()
    throw thrown
  }
  const isRemoved = await whileIdle(async () => {
    aside ??= await moveAside(root)
    if (aside !== undefined) await mark(removed).catch(putBackAndThrow)
  }).catch(putBackAndThrow)
  if (!isRemoved) await putBack()
  if (aside === undefined) return undefined
  await removeTree(aside)
  return removed
}

/**
 * The directory with everything in it, and what earlier removals left of it, without leaving a record. It doesn't come
 * back, whatever interrupts this.
 */
export async function deleteWorkspace(root: string): Promise<void> {
  await moveAside(root, 'deleted')
  const directory = dirname(root)
  const ofRoot = (await leftIn(directory)).filter(({ place }) => place === root)
  await doAll(ofRoot.map((left) => () => removeTree(join(directory, left.name))))
}

/** `.removed-<name>-<twelve digits>`, `.deleted-…` or `.kept-…` */
const leftOver = /^\.(removed|deleted|kept)-(.+)-[0-9a-f]{12}$/

/**
 * Completes removals that a crash interrupted, directly in `directory`: what was being removed is removed; what was
 * only moved aside, with nothing in its place yet, is moved back, unless it was to be deleted. `alone` keeps removals
 * of other processes away meanwhile. If something can't be removed or moved back, the rest still is, and its error is
 * thrown at the end.
 */
export async function sweepRemoved(directory: string, alone: Alone = (work) => work()): Promise<void> {
  if ((await leftIn(directory)).length === 0) return
  const decided = new Set<string>()
  const decide = async ({ name, why, place }: Left) => {
    const isUndecided = why !== 'deleted' && (await lstatOrNothing(place)) === undefined
    if (isUndecided) await rename(join(directory, name), place)
    else if (why !== 'kept') decided.add(name)
  }
  await doAll([
    () => alone(async () => doAll((await leftIn(directory)).map((left) => () => decide(left)))),
    () => doAll([...decided].map((name) => () => removeTree(join(directory, name)))),
  ])
}

interface Left {
  name: string
  why: string
  /** Where it was. */
  place: string
}

/** Runs work while no other process does the same. */
export type Alone = (work: () => Promise<void>) => Promise<void>

async function leftIn(directory: string): Promise<Left[]> {
  const names = (await orNothing(() => readdir(directory))) ?? []
  return names.flatMap((name) => {
    const [, why, was] = leftOver.exec(name) ?? []
    return why === undefined || was === undefined ? [] : [{ name, why, place: join(directory, was) }]
  })
}
