import { readdirSync, readFileSync } from 'node:fs'

/** How many files and connections this process may have open; undefined if the system doesn't say. */
export function descriptorLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}

/** For the database, the index, the platforms and open console pages. */
const reserved = 96
/** A turn reads from the model and has some files of its workspace open. */
const ofTurn = 6
/** A command has its pipes, and needs more while it starts. */
const ofCommand = 64

const mostCommands = 32

/** What may run at the same time with this many descriptors; the rest waits. */
export function atOnceWithin(
  turnsAtOnce: number,
  limit = Number.MAX_SAFE_INTEGER,
): { turns: number; commands: number } {
  return {
    turns: Math.max(1, Math.min(turnsAtOnce, Math.floor((limit - reserved) / ofTurn))),
    commands: Math.max(1, Math.min(mostCommands, Math.floor(limit / ofCommand))),
  }
}

/** Enough to start, and for what others may still open. */
const toBegin = 16
const stillToOpen = 4

/** Whether there are descriptors for one more turn: console pages use some, too. */
export function hasDescriptors(limit: number | undefined): (running: number) => boolean {
  if (limit === undefined || limit >= 4096) return () => true
  return (running) => limit - openDescriptors(limit) >= toBegin + stillToOpen * running
}

/** Counting them takes one more descriptor. */
function openDescriptors(limit: number): number {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return limit
  }
}
