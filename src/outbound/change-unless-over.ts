import { stillHolds } from '../store/hold-session.ts'
import { isLockedByAnother } from '../store/lock.ts'
import { deliverAgain } from '../store/outbox.ts'
import type { Lease, Store } from '../store/store.ts'

/**
 * Changes a message of a turn that is still at work. A process may freeze in the middle of this call, or lose the session to
 * another one, and write over the answer that has been posted since. So it checks its lock and its lease afterwards. If one
 * is lost, the answer (`entry`) is delivered again, and this resolves with `over`. `holder`: this process, for the lock.
 */
export async function changeUnlessOver<T>(
  { store, holder }: { store: Store; holder: string },
  { entry, lease }: { entry: string; lease: Lease },
  write: () => Promise<T>,
): Promise<T | 'over'> {
  const [done] = await Promise.allSettled([write()])
  if ((await isLockedByAnother(store.db, holder)) || !(await stillHolds(store.db, lease))) {
    await store.transaction((tx) => deliverAgain(tx, entry))
    return 'over'
  }
  if (done.status === 'rejected') throw done.reason
  return done.value
}
