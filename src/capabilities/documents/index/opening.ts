import { setTimeout as pause } from 'node:timers/promises'
import { unlessAborted } from '../../../kit/abort.ts'
import type { OpenDocument } from '../../../kit/documents/document.ts'
import { Failure } from '../../../kit/failure.ts'
import { type IndexDatabase, IndexRemade } from './database.ts'
import type { Entry } from './entries.ts'
import { openEntry } from './entry-text.ts'
import type { Keeper, SessionWorkspace } from './keeper.ts'

interface OpeningOptions {
  report(thrown: unknown): void
  closing: AbortSignal
  /** After this long, the beginning of a document will do. */
  patienceMs: number
}

interface Wanted {
  path: string
  password: string | undefined
  enough(beginning: OpenDocument): boolean
}

/**
 * A document's entry, or the pages that have been read of it so far if they are enough. The rest is read in the
 * background then.
 */
export async function entryOrBeginning(
  database: IndexDatabase,
  keeper: Keeper,
  place: SessionWorkspace,
  { path, password, enough }: Wanted,
  { report, closing, patienceMs }: OpeningOptions,
  signal: AbortSignal,
): Promise<Entry | OpenDocument> {
  const stopping = new AbortController()
  let key: string | undefined
  const isKeyed = (made: string) => {
    key = made
  }
  const whole = keeper.entry(place, path, password, AbortSignal.any([stopping.signal, closing]), undefined, isKeyed)
  // Whoever asks again hears of a failure; a remade index is made again.
  const goOn = () => {
    whole.catch((thrown: unknown) => {
      if (!(thrown instanceof Failure) && !(thrown instanceof IndexRemade) && !closing.aborted) report(thrown)
    })
  }
  const waiting = new AbortController()
  try {
    const patience = pause(patienceMs, undefined, { signal: waiting.signal }).catch(() => undefined)
    let entry = await unlessAborted(signal, () => Promise.race([whole, patience]))
    while (entry === undefined) {
      const changed = keeper.progressed().then(() => undefined)
      const soFar = key === undefined ? undefined : keeper.soFar(key)
      // Pages that are there are whole; a sheet may go on.
      if (soFar?.entry.kind === 'pdf') {
        const beginning = openEntry(database, soFar.entry, soFar)
        if (enough(beginning)) {
          goOn()
          return beginning
        }
      }
      entry = await unlessAborted(signal, () => Promise.race([whole, changed]))
    }
    return entry
  } finally {
    waiting.abort()
    if (signal.aborted) stopping.abort(signal.reason)
    whole.catch(() => {})
  }
}
