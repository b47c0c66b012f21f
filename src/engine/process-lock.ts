import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../domain/ids.ts'
import { Failure } from '../kit/failure.ts'
import { isAlive } from '../kit/process.ts'
import { beatLock, dropLock, type Gone, leaveLock, readLock, takeLock } from '../store/lock.ts'
import { aloneName, nodeName } from '../store/lock-names.ts'
import type { LockRow } from '../store/schema.ts'
import type { Db, Store } from '../store/store.ts'
import { engineWords } from './words.ts'

const lookAgainMs = 250

export interface HeldLock {
  holder: string
  /** The process was told to end. */
  leave(): Promise<void>
  release(): Promise<void>
}

export interface LockOptions {
  /** After this silence a holder is dead or frozen. If it wakes up, the fence keeps it from writing. */
  silentMs: number
  /** Called once when another process takes over. */
  lost(): void
  /** Without it, a new one. */
  holder?: string
  /** The name of this one among several processes; without it, it is alone. */
  node?: string | undefined
  version?: string
}

/**
 * Makes this process the only one that runs the engine on a database, or the only one with the name of its node. Waits
 * for a holder that has gone silent; throws `already_running` if one is alive.
 */
export async function takeProcessLock(store: Store, options: LockOptions): Promise<HeldLock> {
  const { silentMs, lost, node, version, holder = newId('node') } = options
  const own = { holder, host: hostname(), pid: process.pid, ...(version !== undefined && { version }) }
  const name = node === undefined ? aloneName : nodeName(node)
  let isSilent = (row: LockRow) => node === undefined && looksSilent(row, silentMs)
  /** Who may be connected, as far as the server can tell. */
  const connected = new Set<string>()
  const goneBy = (row: LockRow): Gone | undefined => {
    if (hasEnded(row) && !connected.has(row.holder)) return 'dead'
    return isSilent(row) ? 'silent' : undefined
  }
  const take = async (): Promise<LockRow | undefined> => {
    const { server, db } = store
    const row = server && (await readLock(db, name))
    connected.clear()
    // A process in another container may have the same host name and process id.
    if (row !== undefined && (await server?.isConnected(row.holder)) !== false) connected.add(row.holder)
    return takeLock(store, own, goneBy, name)
  }
  const other = await whoStays(silentMs, (waited, seenAt) => {
    // The clock of another machine may be wrong, so only what was seen here counts.
    if (node !== undefined && waited > silentMs) isSilent = (row) => row.beat_at === seenAt
    return take()
  })
  if (other !== undefined) throw runningAlready(other, node)
  const timer = setInterval(async () => {
    const mine = await beatLock(store, holder).catch(() => true)
    if (mine) return
    clearInterval(timer)
    lost()
  }, silentMs / 5)
  return {
    holder,
    leave: () => leaveLock(store, holder),
    async release() {
      clearInterval(timer)
      await dropLock(store, holder)
    },
  }
}

/**
 * For a process that would be alone, before it changes the tables of another version. Waits like `takeProcessLock`;
 * throws `already_running`.
 */
export async function refuseBeside(db: Db, silentMs: number): Promise<void> {
  const other = await whoStays(silentMs, async () => {
    const row = await readLock(db, aloneName)
    return row === undefined || hasEnded(row) || looksSilent(row, silentMs) ? undefined : row
  })
  if (other !== undefined) throw runningAlready(other, undefined)
}

const looksSilent = ({ beat_at }: LockRow, silentMs: number): boolean => Math.abs(Date.now() - beat_at) > silentMs

/** Looks again until nobody holds the lock, its holder has beaten, or it has been silent for long enough. */
async function whoStays(
  silentMs: number,
  look: (waited: number, seenAt: number | undefined) => Promise<LockRow | undefined>,
): Promise<LockRow | undefined> {
  let other = await look(0, undefined)
  const seenAt = other?.beat_at
  for (let waited = 0; other !== undefined && waited <= silentMs; waited += lookAgainMs) {
    if (other.beat_at !== seenAt) break
    await sleep(lookAgainMs)
    other = await look(waited + lookAgainMs, seenAt)
  }
  return other
}

function runningAlready({ pid, host }: LockRow, node: string | undefined): Failure {
  const where = `(process ${pid} on ${host})`
  return node === undefined
    ? new Failure('already_running', engineWords.dataDirTaken({ where }), engineWords.dataDirTakenRemedy())
    : new Failure('already_running', engineWords.nodeNameTaken({ node, where }), engineWords.nodeNameTakenRemedy())
}

export function hasEnded(row: LockRow): boolean {
  if (row.host !== hostname()) return false
  // In a container the process id is the same after every restart.
  return row.pid === process.pid || !isAlive(row.pid)
}
