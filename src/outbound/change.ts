import { isLockedByAnother } from '../store/lock.ts'
import { deliverAgain } from '../store/outbox.ts'
import type { Store } from '../store/store.ts'

/**
 * Changes a message of a turn that is still at work. A platform knows no fence: what a process sent when it was frozen may
 * arrive after another one has ended the message. So it is asked afterwards, too, and `entry`, the end, is delivered again.
 * Resolves with `over` when another process has taken over; `holder` is this one, for the engine's lock.
 */
export async function change<T>(
  { store, holder }: { store: Store; holder: string },
  entry: string,
  write: () => Promise<T>,
): Promise<T | 'over'> {
  const isOver = () => isLockedByAnother(store.db, holder)
  if (await isOver()) return 'over'
  const [done] = await Promise.allSettled([write()])
  if (await isOver()) {
    await store.transaction((tx) => deliverAgain(tx, entry))
    return 'over'
  }
  if (done.status === 'rejected') throw done.reason
  return done.value
}
