import { isLockedByAnother } from '../store/lock.ts'
import { deliverAgain } from '../store/outbox.ts'
import type { Store } from '../store/store.ts'

/**
 * Changes a message of a turn that is still at work. A platform knows no fence: what a process was sending when it was frozen
 * arrives after another one has ended the message. So each change looks afterwards, and has `entry`, the end, delivered again.
 * Resolves with `over` then. `holder` is this process, for the engine's lock.
 */
export async function changeUnlessOver<T>(
  { store, holder }: { store: Store; holder: string },
  entry: string,
  write: () => Promise<T>,
): Promise<T | 'over'> {
  const [done] = await Promise.allSettled([write()])
  if (await isLockedByAnother(store.db, holder)) {
    await store.transaction((tx) => deliverAgain(tx, entry))
    return 'over'
  }
  if (done.status === 'rejected') throw done.reason
  return done.value
}
