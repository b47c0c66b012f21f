import type { SessionId, TurnId } from '../domain/ids.ts'
import type { Clock } from '../kit/clock.ts'
import type { OutgoingFile, Posting } from '../platforms/platform.ts'
import { isReplaced } from '../store/lock.ts'
import { insertOutbox } from '../store/outbox.ts'
import { isOther, type KnownPosting, setNote } from '../store/postings.ts'
import { dropOutbox } from '../store/refused.ts'
import type { Store } from '../store/store.ts'
import { firstMs } from './next-attempt.ts'

export interface PostingDeps {
  store: Store
  clock: Clock
  /** Identifies this process: once it is replaced, another one posts the page, and this one stores nothing about it. */
  holder: string
  session: SessionId
  turn: TurnId | undefined
}

/** The outbox key of a page's files that are posted later. */
export const filesKey = (page: string): string => `${page}.files`

/** A page's posting as its platform gets it. */
export function postingOf(
  { store, clock, holder, session, turn }: PostingDeps,
  key: string,
  known: KnownPosting | undefined,
): Posting {
  return {
    key,
    note: known?.note,
    since: known?.begunAt ?? clock.now(),
    isOther: (id) => isOther(store.db, session, key, id),
    remember: (note) => store.transaction((tx) => setNote(tx, key, note, holder)),
    postpone: (files) =>
      store.transaction(async (tx) => {
        if (await isReplaced(tx, holder)) return
        const payload = { files: files.map(stored) }
        // Of a page with several files, one may be refused first and then all of them.
        await dropOutbox(tx, filesKey(key))
        if (files.length === 0) return
        // They have just been refused, or were too slow.
        await insertOutbox(tx, { key: filesKey(key), session, turn, kind: 'files', payload }, firstMs)
      }),
  }
}

const stored = ({ name, path, type, size }: OutgoingFile) => ({ name, path, type, size })
