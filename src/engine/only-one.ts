import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../domain/ids.ts'
import { Failure } from '../kit/failure.ts'
import { isAlive } from '../kit/process.ts'
import { beatLock, dropLock, type Gone, leaveLock, readLock, takeLock } from '../store/lock.ts'
import { aloneName, nodeName } from '../store/lock-names.ts'
import type { LockRow } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import { engineWords } from './words.ts'

const lookAgainMs = 250

export interface OnlyOne {
  /** Identifies this process in the rows it holds. */
  holder: string
  /** The process was told to end. */
  leave(): Promise<void>
  release(): Promise<void>
}

export interface OnlyOneOptions {
  /** After this silence a holder is dead or frozen. If it wakes up, the fence keeps it from writing. */
  silentMs: number
  /** Called once when another process takes over. */
  lost(): void
  /** What this process is called; otherwise it gets a name of its own. */
  holder?: string
  /** The name of this one among several processes; without it, it is alone. */
  node?: string | undefined
  version?: string
}

/**
 * Makes this process the only one that runs the engine on a database, or the only one with the name of its node. Waits
 * for a holder that has gone silent; throws `already_running` if one is alive.
 */
export async function becomeOnlyOne(store: Store, options: OnlyOneOptions): Promise<OnlyOne> {
  const { silentMs, lost, node, version, holder: called = newId('node') } = options
  const me = { holder: called, host: hostname(), pid: process.pid, ...(version !== undefined && { version }) }
  const name = node === undefined ? aloneName : nodeName(node)
  let isSilent = (row: LockRow) => node === undefined && Math.abs(Date.now() - row.beat_at) > silentMs
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
    return takeLock(store, me, goneBy, name)
  }
  let holder = await take()
  const seenAt = holder?.beat_at
  for (let waited = 0; holder !== undefined && waited <= silentMs; waited += lookAgainMs) {
    if (holder.beat_at !== seenAt) break
    await sleep(lookAgainMs)
    // The clock of another machine may be wrong, so only what was seen here counts.
    if (node !== undefined && waited + lookAgainMs > silentMs) isSilent = (row) => row.beat_at === seenAt
    holder = await take()
  }
  if (holder !== undefined) throw runningAlready(holder, node)
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
