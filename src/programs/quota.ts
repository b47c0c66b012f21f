import type { SandboxResult } from '../kit/sandbox/port.ts'
import { whenDescriptors } from '../kit/unavailable.ts'
import { type CountOptions, count, foldersIn } from '../workspace/count.ts'
import { writableFolders } from '../workspace/paths.ts'
import type { CommandsContext } from './context.ts'
import { programsWords } from './words.ts'

/** The shortest time between two checks. After a slow check, the next comes as much later. */
const leastMs = 25
/** How long a command waits until its workspace can be checked, ms. It waits as long for the sandbox itself. */
const longestWaitMs = 10 * 60_000

/**
 * While a command runs, checks whether the workspace has become too large. Its signal then ends the command. In one
 * that is too large already, a command may make room, so it is ended only when there is more than at its start. So that
 * what one command left isn't simply added to by the next, `wasFull` says that it must not write to files.
 */
export async function watchQuota({ workspace, limits, signal }: CommandsContext) {
  const full = new AbortController()
  const counted = async (options?: CountOptions) => count(await foldersIn(workspace.root, writableFolders), options)
  const isOver = async (most: CountOptions['most']) => (await counted({ most })).more
  const start = async () => ((await isOver(limits.workspace)) ? counted() : undefined)
  const there = await whenDescriptors(start, { longestMs: longestWaitMs, signal })
  const { bytes, files } = limits.workspace
  const most = {
    bytes: Math.max(bytes, there?.bytes ?? 0),
    files: Math.max(files, there?.files ?? 0),
    others: Math.max(files, there?.others ?? 0),
  }
  let timer: NodeJS.Timeout | undefined
  // What can't be checked now is checked next time.
  const seenOver = (amount: CountOptions['most']) => isOver(amount).catch(() => false)
  const look = async () => {
    const at = performance.now()
    if (await seenOver(most)) full.abort()
    else if (timer !== undefined) timer = setTimeout(() => void look(), Math.max(leastMs, performance.now() - at))
  }
  timer = setTimeout(() => void look(), leastMs)
  const wasFull = there !== undefined
  return {
    signal: full.signal,
    wasFull,
    end() {
      clearTimeout(timer)
      timer = undefined
    },
    /**
     * A sentence, if there are more files before or afterwards than there is room for. A quick command is over before
     * the first check.
     */
    async outcome({ by }: SandboxResult): Promise<string | undefined> {
      if (by === 'stop' && full.signal.aborted) return programsWords.stoppedFull()
      if (await seenOver(limits.workspace)) return programsWords.stillFull()
      return wasFull ? programsWords.wasFull() : undefined
    },
  }
}
