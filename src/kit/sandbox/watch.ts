import type { SandboxLimits } from './port.ts'
import { allProcesses, descendants, type ProcessEntry, sharedOutBytes } from './processes.ts'

export type Exceeded = 'memory' | 'processes'
/** Looks after the processes below `first` until it is ended. `over` is called once at most. */
export type Watch = (
  first: number,
  limits: Pick<SandboxLimits, 'memoryBytes' | 'processes'>,
  over: (by: Exceeded) => void,
) => () => void

/** Where no control group is ours. Processor time of a look on an idle machine: a few milliseconds for all sandboxes. */
export const lookEveryMs = 50

/** One look serves all sandboxes that run at the time; without any there is none. */
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
      const by = exceeded(descendants(first, table), limits)
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
    timer ??= setInterval(look, lookEveryMs)
    return end
  }
}

/**
 * Pages that several processes share count for each of them at first, which is quick to see and too much. Only when that
 * is over the limit is every process asked for its share, and twice: shares move from one to the other between the
 * questions while processes start and end.
 */
function exceeded(
  processes: ProcessEntry[],
  limits: Pick<SandboxLimits, 'memoryBytes' | 'processes'>,
): Exceeded | undefined {
  if (sum(processes.map(({ threads }) => threads)) > limits.processes) return 'processes'
  if (sum(processes.map(({ residentBytes }) => residentBytes)) <= limits.memoryBytes) return undefined
  const isOver = (): boolean =>
    sum(processes.map(({ id, residentBytes }) => sharedOutBytes(id) ?? residentBytes)) > limits.memoryBytes
  return isOver() && isOver() ? 'memory' : undefined
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0)
