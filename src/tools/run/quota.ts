import { BobbinError } from '../../domain/errors.ts'
import type { ToolContext } from '../../domain/tool.ts'
import { measure } from '../../workspace/usage.ts'

/** A look takes its time: the next comes after three times as long, and no sooner than this. */
const leastMs = 25

/** Looks while a command runs whether the workspace has become too large. Its signal ends the command then. */
export async function watchQuota({ workspace, limits }: ToolContext) {
  const full = new AbortController()
  const isFull = async () => {
    const { bytes, files } = await measure(workspace.root, [''])
    return bytes > limits.workspace.bytes || files > limits.workspace.files
  }
  if (await isFull()) {
    const fact = 'The workspace of this thread is full.'
    throw new BobbinError('quota', fact, 'Ask a person to write clean, or to begin a new thread.')
  }
  let timer: NodeJS.Timeout | undefined
  const look = async () => {
    const at = performance.now()
    // What cannot be looked at now is looked at the next time.
    if (await isFull().catch(() => false)) full.abort()
    else if (timer !== undefined) timer = setTimeout(() => void look(), Math.max(leastMs, 3 * (performance.now() - at)))
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
