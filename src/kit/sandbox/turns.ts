/**
 * Who may use a workspace. A file pinned in it keeps its bytes only as long as nobody removes it from outside the
 * sandbox, and another command in the same workspace could. So a command with pinned files has the workspace to itself.
 * The bot's own tools leave these files alone meanwhile (`holding` of the workspace).
 */
export function openTurns(): (workspace: string, alone: boolean, signal: AbortSignal) => Promise<() => void> {
  const users = new Map<string, { alone: boolean; gone: Promise<void> }[]>()

  return async (workspace, alone, signal) => {
    const before = users.get(workspace) ?? []
    const { promise: gone, resolve } = Promise.withResolvers<void>()
    const mine = { alone, gone }
    users.set(workspace, [...before, mine])
    const leave = (): void => {
      const rest = (users.get(workspace) ?? []).filter((one) => one !== mine)
      if (rest.length === 0) users.delete(workspace)
      else users.set(workspace, rest)
      resolve()
    }
    try {
      const inTheWay = before.filter((one) => alone || one.alone).map((one) => one.gone)
      await untilAborted(Promise.all(inTheWay), signal)
      return leave
    } catch (thrown) {
      leave()
      throw thrown
    }
  }
}

async function untilAborted(waited: Promise<unknown>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = (): void => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    await Promise.race([waited, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
