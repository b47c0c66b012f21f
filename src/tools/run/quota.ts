import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { BobbinError } from '../../domain/errors.ts'
import type { ToolContext } from '../../domain/tool.ts'

/** A look takes its time: the next comes after as long again, and no sooner than this. */
const leastMs = 25

/** Looks while a command runs whether the workspace has become too large. Its signal ends the command then. */
export async function watchQuota({ workspace, limits }: ToolContext) {
  const full = new AbortController()
  const isFull = () => isLarger(workspace.root, limits.workspace)
  if (await isFull()) {
    const fact = 'The workspace of this thread is full.'
    throw new BobbinError('quota', fact, 'Ask a person to write clean, or to begin a new thread.')
  }
  let timer: NodeJS.Timeout | undefined
  const look = async () => {
    const at = performance.now()
    // What cannot be looked at now is looked at the next time.
    if (await isFull().catch(() => false)) full.abort()
    else if (timer !== undefined) timer = setTimeout(() => void look(), Math.max(leastMs, performance.now() - at))
  }
  timer = setTimeout(() => void look(), leastMs)
  return {
    signal: full.signal,
    end() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

/** Looks no further than it must: links are not followed, and what is gone meanwhile counts nothing. */
async function isLarger(root: string, most: { bytes: number; files: number }): Promise<boolean> {
  const waiting = [root]
  let [bytes, files] = [0, 0]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const folder = path
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    waiting.push(...entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name)))
    const found = entries.filter((entry) => entry.isFile())
    files += found.length
    if (files > most.files) return true
    const sizes = await Promise.all(found.map(({ name }) => lstat(join(folder, name)).catch(() => ({ size: 0 }))))
    bytes += sizes.reduce((sum, { size }) => sum + size, 0)
    if (bytes > most.bytes) return true
  }
  return false
}
