import { reasonOf } from '../kit/failure.ts'
import type { Log } from '../kit/log.ts'
import { NotPosted } from '../platforms/platform.ts'
import type { OutboxEntry } from '../store/outbox-entry.ts'

/** Logs a message that wasn't posted: whether it waits, for whom, or is lost. */
export const reportPosting =
  (log: Log, report: (what: string, about: object) => (thrown: unknown) => void) =>
  ({ key, session }: OutboxEntry, thrown: unknown): void => {
    const about = { key, session, reason: reasonOf(thrown) }
    if (!(thrown instanceof NotPosted)) report('a message could not be posted', { key, session })(thrown)
    else if (thrown.again === 'never') log.error(about, 'a message was given up')
    else if (thrown.again === 'later') log.info(about, 'a message waits to be posted')
    else log.warn({ ...about, remedy: thrown.remedy }, 'a message cannot be posted until somebody fixes this')
  }
