import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '../../kit/process.ts'
import { holdFile } from '../../store/sqlite/hold-file.ts'
import { scratchName } from './sources.ts'

/** In the folder. Whoever makes the backup holds it. */
const holdName = 'lock'

const dayMs = 86_400_000

const ofThisHost = `${scratchName}${hostname()}-`

/** A folder for what a backup writes until it is complete. */
export interface Scratch {
  path: string
  remove(): Promise<void>
}

export async function takeScratch(folder: string): Promise<Scratch> {
  const path = await mkdtemp(join(folder, `${ofThisHost}${process.pid}-`))
  const leave = await hold(path)
  // Somebody who sweeps there, in a container of the same name, is about to remove it.
  if (leave === undefined) return takeScratch(folder)
  const remove = async () => {
    // On a network disk, a file that is open keeps its folder.
    leave()
    await rm(path, { recursive: true, force: true })
  }
  return { path, remove }
}

/** A folder that can't be held, as on a full disk, isn't left behind. */
async function hold(path: string): Promise<(() => void) | undefined> {
  try {
    return holdFile(join(path, holdName))
  } catch (thrown) {
    await rm(path, { recursive: true, force: true })
    throw thrown
  }
}

/** Removes what killed backups have left. Other hosts and containers may be making backups in the same folder. */
export async function sweep(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names) if (name.startsWith(scratchName)) await removeLeft(join(folder, name), name)
}

async function removeLeft(path: string, name: string): Promise<void> {
  try {
    if (!hasEnded(name) && Date.now() - (await stat(path)).mtimeMs < dayMs) return
    const leave = holdFile(join(path, holdName))
    if (leave === undefined) return
    leave()
    await rm(path, { recursive: true, force: true })
  } catch {
    // Its backup has just removed it, or it belongs to somebody else.
  }
}

/** Not known of another host's: there, the number means another process, and a lock may not reach as far. */
function hasEnded(name: string): boolean {
  const [, pid] = name.startsWith(ofThisHost) ? (/^(\d+)-[^-]+$/.exec(name.slice(ofThisHost.length)) ?? []) : []
  return pid !== undefined && !isAlive(Number(pid))
}
