import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from '../kit/process.ts'
import { aloneName, plainNodeName } from './lock-names.ts'
import type { LockRow, NodeState } from './schema.ts'

/** Locks of an older schema have fewer columns. */
export type FoundLock = Pick<LockRow, 'name' | 'holder' | 'host' | 'pid' | 'beat_at'> & Partial<LockRow>

export interface NodeSeen {
  /** Undefined for a process that is alone. */
  name: string | undefined
  holder: string
  host: string
  pid: number
  state: NodeState
  /** `ended`: its process of this machine is gone. `silent`: it may be dead or frozen. */
  pulse: 'beats' | 'silent' | 'ended'
  beatAt: number
  /** Undefined when an older version started it. */
  startedAt: number | undefined
  version: string | undefined
  /** Where it listens, if it runs on this machine and has said so. */
  url: string | undefined
}

const lookAgainMs = 250

/**
 * Who runs on a database. The clock of another machine may be wrong, so there a beat that looks old counts as silence
 * only if it doesn't change while this waits, for at most half of `silentMs`.
 */
export async function seeNodes(
  first: FoundLock[],
  silentMs: number,
  readAgain: () => Promise<FoundLock[]>,
): Promise<NodeSeen[]> {
  const before = new Map(first.map(({ holder, beat_at }) => [holder, beat_at]))
  const looksOld = (lock: FoundLock): boolean => Math.abs(Date.now() - lock.beat_at) > silentMs
  const isStill = (lock: FoundLock): boolean => before.get(lock.holder) === lock.beat_at
  const isDoubtful = (lock: FoundLock): boolean => !hasEnded(lock) && looksOld(lock) && isStill(lock)
  let locks = first
  const mayBeat = (lock: FoundLock): boolean => plainNodeName(lock.name) !== undefined && isDoubtful(lock)
  for (let waited = 0; waited < silentMs / 2 && locks.some(mayBeat); waited += lookAgainMs) {
    await sleep(lookAgainMs)
    locks = await readAgain()
  }
  const pulseOf = (lock: FoundLock) => {
    if (hasEnded(lock)) return 'ended'
    return isDoubtful(lock) ? 'silent' : 'beats'
  }
  return locks.filter(isNode).map((lock) => ({
    name: plainNodeName(lock.name),
    holder: lock.holder,
    host: lock.host,
    pid: lock.pid,
    beatAt: lock.beat_at,
    state: lock.state ?? 'working',
    pulse: pulseOf(lock),
    startedAt: lock.started_at || undefined,
    version: lock.version ?? undefined,
    url: (lock.host === hostname() && lock.url) || undefined,
  }))
}

const isNode = ({ name }: FoundLock): boolean => name === aloneName || plainNodeName(name) !== undefined

const hasEnded = ({ host, pid }: FoundLock): boolean => host === hostname() && !isAlive(pid)
