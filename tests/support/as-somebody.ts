import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs work in a folder of its own. Root may look into every folder, so the test drops its rights for a while. */
export async function asSomebody(work: (folder: string) => Promise<void>): Promise<void> {
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(65_534)
  const folder = await mkdtemp(join(tmpdir(), 'bobbin-'))
  try {
    await work(folder)
  } finally {
    if (isRoot) process.seteuid?.(0)
    await rm(folder, { recursive: true, force: true })
  }
}
