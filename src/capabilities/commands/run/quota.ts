import type { ToolContext } from '../../../domain/tool.ts'
import { Failure } from '../../../kit/failure.ts'
import { count } from '../../../workspace/count.ts'
import { folders } from '../../../workspace/paths.ts'

/** A look takes its time: the next comes after as long again, and no sooner than this. */
const leastMs = 25

/** Looks while a command runs whether the workspace has become too large. Its signal ends the command then. */
export async function watchQuota({ workspace, limits }: ToolContext) {
  const full = new AbortController()
  // The folders of every workspace and its metadata are nobody's doing.
  const most = { ...limits.workspace, files: limits.workspace.files + folders.length + 1 }
  const isFull = async () => (await count([workspace.root], { most })).more
  if (await isFull()) {
    const fact = 'The workspace of this thread is full.'
    throw new Failure('quota', fact, 'Ask a person to write clean, or to begin a new thread.')
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
