import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../domain/ids.ts'
import { Failure } from '../kit/failure.ts'
import { isAlive } from '../kit/process.ts'
import { beatLock, dropLock, type Gone, leaveLock, takeLock } from '../store/lock.ts'
import type { LockRow } from '../store/schema.ts'
import type { Store } from '../store/store.ts'

const lookAgainMs = 250

export interface OnlyOne {
  /** Identifies this process in the rows it holds. */
  holder: string
  /** The process was told to end. */
  leave(): Promise<void>
  release(): Promise<void>
}

/**
 * Makes this process the only one that runs the engine on a database. Waits for a holder that has gone silent; throws
 * `already_running` if one is alive. A holder that is silent for `silentMs` is dead or frozen; if it wakes up, the
 * fence keeps it from writing. `lost` is called once when another process takes over.
 */
export async function becomeOnlyOne(store: Store, silentMs: number, lost: () => void): Promise<OnlyOne> {
  const me = { holder: newId('node'), host: hostname(), pid: process.pid }
  const goneBy = (row: LockRow): Gone | undefined => {
    if (hasEnded(row)) return 'dead'
    return Math.abs(Date.now() - row.beat_at) > silentMs ? 'silent' : undefined
  }
  let holder = await takeLock(store, me, goneBy)
  const seenAt = holder?.beat_at
  for (let waited = 0; holder !== undefined && waited <= silentMs; waited += lookAgainMs) {
    if (holder.beat_at !== seenAt) break
    await sleep(lookAgainMs)
    holder = await takeLock(store, me, goneBy)
  }
  if (holder !== undefined) {
    throw new Failure(
      'already_running',
      `Another Bobbin is running on this data directory (process ${holder.pid} on ${holder.host}).`,
      'Stop it first, or set BOBBIN_DATA_DIR to another directory.',
    )
  }
  const timer = setInterval(async () => {
    const mine = await beatLock(store, me.holder).catch(() => true)
    if (mine) return
    clearInterval(timer)
    lost()
  }, silentMs / 5)
  return {
    holder: me.holder,
    leave: () => leaveLock(store, me.holder),
    async release() {
      clearInterval(timer)
      await dropLock(store, me.holder)
    },
  }
}

function hasEnded(row: LockRow): boolean {
  if (row.host !== hostname()) return false
  // In a container the process id is the same after every restart.
  return row.pid === process.pid || !isAlive(row.pid)
}
