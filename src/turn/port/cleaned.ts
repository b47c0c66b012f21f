import { knownZone } from '../../kit/calendar/zone.ts'
import { findByDedupKey, insertInbox } from '../../store/inbox.ts'
import type { Session } from '../../store/sessions.ts'
import type { Tx } from '../../store/store.ts'
import type { Cleaned } from '../../workspace/metadata.ts'
import { turnWords } from './words.ts'

/** Such as `14 November 2026`, in the session's time zone. */
const dayWords = (at: number, timeZone: string): string =>
  new Date(at).toLocaleDateString('en-GB', {
    timeZone: knownZone(timeZone),
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  })

/** Tells people why files they remember are gone. */
export const cleanedWords = ({ at, files, days }: Cleaned, timeZone: string): string =>
  turnWords.cleaned({ files, day: dayWords(at, timeZone), days })

/** Tells the model with the next message that its files were removed, once each time. */
export async function tellCleaned(tx: Tx, session: Session, cleaned: Cleaned, eventId: number): Promise<void> {
  const dedupKey = `cleaned:${session.id}:${cleaned.at}`
  if ((await findByDedupKey(tx.db, dedupKey)) !== undefined) return
  const fact = cleanedWords(cleaned, session.timeZone)
  const note = `[The program] ${fact} What was said above about files in uploads/, outputs/ and temp/ no longer applies: ask again for what you need.`
  const payload = { person: session.person, text: '', files: [], note }
  await insertInbox(tx, session.id, { dedupKey, kind: 'message', payload, eventId, state: 'held' })
}
