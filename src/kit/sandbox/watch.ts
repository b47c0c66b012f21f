import { asUnavailable } from '../unavailable.ts'
import { heldBytes } from './held.ts'
import type { SandboxLimits } from './port.ts'
import { allProcesses, descendants, type ProcessEntry, sharedOutBytes } from './processes.ts'

export type Exceeded = 'memory' | 'processes'
/** Watches the processes below `first` until it is ended. `over` is called at most once. */
export type Watch = (
  first: number,
  limits: Pick<SandboxLimits, 'memoryBytes' | 'processes'>,
  over: (by: Exceeded) => void,
) => () => void

/**
 * Used if no control group is ours. On an idle machine, a check takes a few milliseconds of CPU time for all sandboxes.
 */
export const lookEveryMs = 50

/** A look that finds no descriptor left is skipped: the next one is soon. */
export const orLater = (look: () => void) => (): void => {
  try {
    look()
  } catch (thrown) {
    if (asUnavailable(thrown)?.code !== 'too_many_files') throw thrown
  }
}

/** One check serves all running sandboxes; if there are none, it doesn't run. */
export function openWatcher(): Watch {
  const watched = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined
  let table = new Map<number, ProcessEntry>()

  const look = (): void => {
    table = allProcesses()
    for (const one of [...watched]) one()
  }
  return (first, limits, over) => {
    const one = (): void => {
      const by = exceeded(descendants(first, table), limits, { held: heldBytes(first) })
      if (by === undefined) return
      end()
      over(by)
    }
    const end = (): void => {
      watched.delete(one)
      if (watched.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
    watched.add(one)
    timer ??= setInterval(orLater(look), lookEveryMs)
    return end
  }
}

/**
 * At first, pages that several processes share count for each of them, which is quick but too much. Only if that is
 * over the limit is every process asked for its share, and twice, and the smaller answer counts: while processes start
 * and end, shares move between them from one question to the next.
 */
export function exceeded(
  processes: ProcessEntry[],
  limits: Pick<SandboxLimits, 'memoryBytes' | 'processes'>,
  { held = 0, shareOf = (one) => sharedOutBytes(one) }: { held?: number; shareOf?: (one: ProcessEntry) => number } = {},
): Exceeded | undefined {
  if (sum(processes.map(({ threads }) => threads)) > limits.processes) return 'processes'
  const most = limits.memoryBytes - held
  if (sum(processes.map(({ residentBytes }) => residentBytes)) <= most) return undefined
  const shares = processes.map(shareOf)
  const least = processes.map((one, place) => Math.min(shares[place] ?? 0, shareOf(one)))
  return sum(least) > most ? 'memory' : undefined
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0)
