import { Failure } from '../../../kit/failure.ts'
import type { SandboxResult } from '../../../kit/sandbox/port.ts'
import { count } from '../../../workspace/count.ts'
import { folders } from '../../../workspace/paths.ts'
import type { CommandsContext } from '../context.ts'

/** A look takes its time: the next comes after as long again, and no sooner than this. */
const leastMs = 25

const fact = 'This thread’s workspace is full.'
const remedy = 'Ask a person to write clean, or to begin a new thread.'

/** Looks while a command runs whether the workspace has become too large. Its signal ends the command then. */
export async function watchQuota({ workspace, limits }: CommandsContext) {
  const full = new AbortController()
  // The folders of every workspace and its metadata are nobody's doing.
  const most = { ...limits.workspace, files: limits.workspace.files + folders.length + 1 }
  const isFull = async () => (await count([workspace.root], { most })).more
  if (await isFull()) throw new Failure('quota', fact, remedy)
  let timer: NodeJS.Timeout | undefined
  // What cannot be looked at now is looked at the next time.
  const seenFull = () => isFull().catch(() => false)
  const look = async () => {
    const at = performance.now()
    if (await seenFull()) full.abort()
    else if (timer !== undefined) timer = setTimeout(() => void look(), Math.max(leastMs, performance.now() - at))
  }
  timer = setTimeout(() => void look(), leastMs)
  return {
    signal: full.signal,
    end() {
      clearTimeout(timer)
      timer = undefined
    },
    /** In words, when the command left more than there is room for. A quick one is over before the first look. */
    async outcome({ by }: SandboxResult): Promise<string | undefined> {
      if (by === 'stop' && full.signal.aborted) return 'It was stopped: this thread’s workspace is full.'
      return (await seenFull()) ? `It left more than there is room for. ${fact} ${remedy}` : undefined
    },
  }
}
