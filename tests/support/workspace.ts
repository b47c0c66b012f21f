import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestBot } from './bot.ts'

/** A file in the workspace of this thread's session. */
export async function readWorkspace({ dataDir }: TestBot, thread: string, path: string): Promise<string> {
  const root = join(dataDir, 'workspace')
  for (const name of await readdir(root)) {
    const metadata = JSON.parse(await readFile(join(root, name, '.metadata.json'), 'utf8'))
    if (metadata.thread === thread) return readFile(join(root, name, path), 'utf8')
  }
  throw new Error(`no workspace for thread ${thread}`)
}
