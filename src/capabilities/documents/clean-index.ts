import type { JobKind } from '../../jobs/kind.ts'
import type { Clock } from '../../kit/clock.ts'
import { startJob } from '../../store/jobs.ts'
import type { Store } from '../../store/store.ts'

const kind = 'clean-index'
const cleanEveryMs = 3_600_000

/** Removes texts and indexes of documents that nobody has used for long. */
export const cleanIndexKind = (library: { clean(): Promise<void> }, clock: Clock): JobKind => ({
  name: kind,
  attempts: Number.POSITIVE_INFINITY,
  async run() {
    await library.clean()
    return { again: clock.now() + cleanEveryMs }
  },
})

/** Once at each start, and from then on every hour. */
export async function startCleaningIndex(store: Store): Promise<void> {
  await store.transaction((tx) => startJob(tx, { kind, key: kind, owner: 'bot', input: null }))
}
