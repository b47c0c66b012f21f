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
  const leave = holdFile(join(path, holdName))
  const remove = async () => {
    await rm(path, { recursive: true, force: true })
    leave?.()
  }
  return { path, remove }
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
    await rm(path, { recursive: true, force: true })
    leave()
  } catch {
    // Its backup has just removed it, or it belongs to somebody else.
  }
}

/** Not known of another host's: there, the number means another process, and a lock may not reach as far. */
function hasEnded(name: string): boolean {
  const [, pid] = name.startsWith(ofThisHost) ? (/^(\d+)-[^-]+$/.exec(name.slice(ofThisHost.length)) ?? []) : []
  return pid !== undefined && !isAlive(Number(pid))
}
