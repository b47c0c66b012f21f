import { Failure } from '../kit/failure.ts'
import type { SandboxResult } from '../kit/sandbox/port.ts'
import { whenDescriptors } from '../kit/unavailable.ts'
import { count } from '../workspace/count.ts'
import { folders } from '../workspace/paths.ts'
import type { CommandsContext } from './context.ts'
import { programsWords } from './words.ts'

/** The shortest time between two checks. After a slow check, the next comes as much later. */
const leastMs = 25
/** How long a command waits until its workspace can be checked, ms. It waits as long for the sandbox itself. */
const longestWaitMs = 10 * 60_000

/** While a command runs, checks whether the workspace has become too large. Its signal then ends the command. */
export async function watchQuota({ workspace, limits, signal }: CommandsContext) {
  const full = new AbortController()
  // Folders and metadata that every workspace has don't count.
  const most = { ...limits.workspace, files: limits.workspace.files + folders.length + 1 }
  const isFull = async () => (await count([workspace.root], { most })).more
  if (await whenDescriptors(isFull, { longestMs: longestWaitMs, signal }))
    throw new Failure('quota', programsWords.workspaceFull(), programsWords.workspaceFullRemedy())
  let timer: NodeJS.Timeout | undefined
  // What can't be checked now is checked next time.
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
    /**
     * A sentence, if the command left more files than there is room for. A quick command is over before the first
     * check.
     */
    async outcome({ by }: SandboxResult): Promise<string | undefined> {
      if (by === 'stop' && full.signal.aborted) return programsWords.stoppedFull()
      return (await seenFull()) ? programsWords.leftTooMuch() : undefined
    },
  }
}
