import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../domain/ids.ts'
import { Failure } from '../kit/failure.ts'
import { beatLock, type Gone, takeAllLocks } from '../store/lock.ts'
import type { LockRow } from '../store/schema.ts'
import type { Store, Tx } from '../store/store.ts'
import { hasEnded } from './only-one.ts'

const lookAgainMs = 250

/** A database on which no other process works. */
export interface StandStill {
  holder: string
  /** The lock remains, so that a frozen process that wakes up still can't write. */
  stop(): void
}

/**
 * Makes sure that no process works on a database, and does something `along` in the same transaction. Waits for those
 * that have gone silent; throws `already_running` if one is alive.
 */
export async function standStill(
  store: Store,
  { name, silentMs }: { name: string; silentMs: number },
  along: (tx: Tx) => Promise<void>,
): Promise<StandStill> {
  const me = { holder: newId('node'), host: hostname(), pid: process.pid }
  const seen = new Map<string, number>()
  let waited = 0
  // Their clocks may be wrong, so only what was seen here counts.
  const goneBy = (row: LockRow): Gone | undefined => {
    if (hasEnded(row)) return 'dead'
    if (!seen.has(row.holder)) seen.set(row.holder, row.beat_at)
    return waited > silentMs && row.beat_at === seen.get(row.holder) ? 'silent' : undefined
  }
  for (;;) {
    const there = await takeAllLocks(store, me, goneBy, along)
    if (there === undefined) break
    if (there.beat_at !== seen.get(there.holder) || waited > silentMs) throw running(there, name)
    await sleep(lookAgainMs)
    waited += lookAgainMs
  }
  const timer = setInterval(() => void beatLock(store, me.holder).catch(() => false), silentMs / 5)
  return { holder: me.holder, stop: () => clearInterval(timer) }
}

function running({ pid, host }: LockRow, name: string): Failure {
  const fact = `Bobbin is running on ${name} (process ${pid} on ${host}).`
  return new Failure('already_running', fact, 'Stop it, then try again. Nothing was moved.')
}
