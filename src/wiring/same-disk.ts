import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HeldLock } from '../engine/process-lock.ts'
import { Failure } from '../kit/failure.ts'
import { nodesOf } from '../store/lock.ts'
import { plainNodeName } from '../store/lock-names.ts'
import type { LockRow } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import { type Signs, signsIn } from '../workspace/shared-disk.ts'
import { wiringWords } from './words.ts'

const lookAgainMs = 250

/** Disks on a network show late what another machine has written, ms. */
const patienceMs = 3_000

interface Here {
  holder: string
  node: string
  dataDir: string
  silentMs: number
}

/**
 * Becomes one of several processes, and stays it only if it sees their disk. Throws `other_disk`, and what `take`
 * throws.
 */
export async function onSameDisk(store: Store, here: Here, take: () => Promise<HeldLock>): Promise<HeldLock> {
  const { holder, dataDir } = here
  const signs = signsIn(join(dataDir, 'nodes'))
  await signs.leave(holder)
  try {
    const lock = await take()
    await checkSameDisk(store, signs, here).catch(async (thrown) => {
      await lock.release()
      throw thrown
    })
    await signs.tidy((await nodesOf(store.db)).map((row) => row.holder))
    return {
      ...lock,
      async release() {
        await lock.release()
        await signs.remove(holder)
      },
    }
  } catch (thrown) {
    await signs.remove(holder)
    throw thrown
  }
}

/**
 * Throws `other_disk` if another process is alive that leaves its signs elsewhere. Those that don't beat while this
 * looks are gone.
 */
async function checkSameDisk(store: Store, signs: Signs, { holder, node, dataDir, silentMs }: Here): Promise<void> {
  const beats = new Map<string, number>()
  for (let waited = 0; waited <= silentMs; waited += lookAgainMs) {
    const others = (await nodesOf(store.db)).filter((row) => row.holder !== holder)
    const seen = await Promise.all(others.map((row) => signs.sees(row.holder)))
    const elsewhere = others.filter((_, place) => !seen[place])
    if (elsewhere.length === 0) return
    for (const row of elsewhere) if (!beats.has(row.holder)) beats.set(row.holder, row.beat_at)
    const alive = elsewhere.find((row) => beats.get(row.holder) !== row.beat_at)
    if (alive !== undefined && waited >= patienceMs) throw otherDisk(node, dataDir, alive)
    await sleep(lookAgainMs)
  }
}

const otherDisk = (node: string, dataDir: string, { name, host }: LockRow): Failure =>
  new Failure(
    'other_disk',
    `${node} doesn’t see the files of ${plainNodeName(name)}: ${dataDir} on ${hostname()} isn’t its disk on ${host}.`,
    wiringWords.otherDiskRemedy(),
  )
