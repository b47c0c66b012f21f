import { isLockedByAnother } from '../store/lock.ts'
import { deliverAgain } from '../store/outbox.ts'
import type { Store } from '../store/store.ts'

/**
 * Changes a message of a turn that is still at work. A process may freeze in the middle of this call and write over the answer
 * that another process has posted since. So it checks the engine's lock afterwards. If the lock is lost, the answer (`entry`) is
 * delivered again, and this resolves with `over`. `holder`: this process, for the lock.
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
