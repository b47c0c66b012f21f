import { stillHolds } from '../store/hold-session.ts'
import { isLockedByAnother } from '../store/lock.ts'
import { deliverAgain, whoPosts } from '../store/outbox.ts'
import type { Lease, Store } from '../store/store.ts'

/** `holder`: this process, for the lock. */
interface Writer {
  store: Store
  holder: string
}

/**
 * Changes a message of a turn that is still at work. A process may freeze in the middle of this call, or lose the
 * session to another one, and write over the answer that has been posted since. Also, the message of a turn that rests
 * ends when a subagent asks people, and the lease is still held. So this checks the lock, the lease and the end
 * (`entry`) before, and again afterwards: if the lock or the lease has been lost by then, or the end has been posted,
 * the end is delivered again. In both cases this resolves with `over`.
 */
export const changeUnlessOver = <T>(
  { store, holder }: Writer,
  { entry, lease }: { entry: string; lease: Lease },
  write: () => Promise<T>,
): Promise<T | 'over'> =>
  unless(
    async () =>
      (await isLockedByAnother(store.db, holder)) ||
      !(await stillHolds(store.db, lease)) ||
      (await whoPosts(store.db, entry, holder)) === 'over',
    { store, holder, entry },
    write,
  )

/**
 * The same for a message that belongs to no lease, such as a card, over whose outcome (`entry`) it may have written.
 */
export const changeUnlessReplaced = <T>(
  { store, holder }: Writer,
  entry: string,
  write: () => Promise<T>,
): Promise<T | 'over'> => unless(() => isLockedByAnother(store.db, holder), { store, holder, entry }, write)

async function unless<T>(
  isOver: () => Promise<boolean>,
  { store, holder, entry }: Writer & { entry: string },
  write: () => Promise<T>,
): Promise<T | 'over'> {
  // What waited its turn for long may be too old to be written.
  if (await isOver()) return 'over'
  const [done] = await Promise.allSettled([write()])
  // The database may be away when a frozen process wakes up, and nobody else knows that the end was written over.
  const wasOver = await store.availability.patiently(async () => {
    if (!(await isOver())) return false
    await store.transaction((tx) => deliverAgain(tx, entry, holder))
    return true
  })
  if (wasOver) return 'over'
  if (done.status === 'rejected') throw done.reason
  return done.value
}
