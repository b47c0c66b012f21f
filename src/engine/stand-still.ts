import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../kit/failure.ts'
import { allLocks, beatLock, type Gone, takeAllLocks } from '../store/lock.ts'
import type { LockRow } from '../store/schema.ts'
import type { Store, Tx } from '../store/store.ts'
import { hasEnded } from './process-lock.ts'
import { engineWords } from './words.ts'

const lookAgainMs = 250

export interface Standing {
  /** What this process is called, on its connections as well. */
  holder: string
  /** How people know the database. */
  name: string
  silentMs: number
}

/**
 * Makes sure that no process works on a database, and does something `along` in the same transaction. The lock remains,
 * so that a process that was thought dead still can't write; the function that is returned stops refreshing it. Waits
 * for silent processes of other machines. Throws `already_running` if one is alive, or frozen where that can be told.
 */
export async function standStill(
  store: Store,
  { holder, name, silentMs }: Standing,
  along: (tx: Tx) => Promise<void>,
): Promise<() => void> {
  const own = { holder, host: hostname(), pid: process.pid }
  const seen = new Map<string, number>()
  const connected = new Map<string, boolean | undefined>()
  let waited = 0
  /** A frozen one would receive messages here when it wakes up. */
  const isThere = (row: LockRow) =>
    store.server === undefined ? row.host === own.host && !hasEnded(row) : connected.get(row.holder) === true
  const goneBy = (row: LockRow): Gone | undefined => {
    if (isThere(row)) return undefined
    // A process in another container may have the same host name and process id.
    if (hasEnded(row) && (store.server === undefined || connected.get(row.holder) === false)) return 'dead'
    // Their clocks may be wrong, so only what was seen here counts.
    return waited > silentMs && row.beat_at === seen.get(row.holder) ? 'silent' : undefined
  }
  for (; ; waited += lookAgainMs) {
    for (const row of await allLocks(store.db)) {
      if (!seen.has(row.holder)) seen.set(row.holder, row.beat_at)
      connected.set(row.holder, await store.server?.isConnected(row.holder))
    }
    const there = await takeAllLocks(store, own, goneBy, along)
    if (there === undefined) break
    if (there.beat_at !== (seen.get(there.holder) ?? there.beat_at) || waited > silentMs) throw running(there, name)
    if (store.server === undefined && isThere(there)) throw running(there, name)
    await sleep(lookAgainMs)
  }
  const timer = setInterval(() => void beatLock(store, holder).catch(() => false), silentMs / 5)
  return () => clearInterval(timer)
}

function running({ pid, host }: LockRow, name: string): Failure {
  const fact = engineWords.stillRunning({ name, pid, host })
  return new Failure('already_running', fact, engineWords.stillRunningRemedy())
}
