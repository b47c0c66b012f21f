import type { Person } from '../domain/chat.ts'
import type { SessionId } from '../domain/ids.ts'
import { notThePrograms, quotedLine } from '../kit/text/marks.ts'
import { plainName } from '../kit/text/text.ts'
import { findByKeys, insertInbox, rewriteInbox, takeInbox } from '../store/inbox.ts'
import type { InboxPayload } from '../store/inbox-event.ts'
import { rewriteNote } from '../store/messages.ts'
import type { Tx } from '../store/store.ts'
import { inboundWords } from './words.ts'

interface Changed {
  dedupKey: string
  /** Whose message it is. */
  by: Person
  /** Null: it was deleted. */
  text: string | null
  person: Person
  /** It was said before the bot was mentioned. */
  isEarlier?: boolean
  quotesOthers?: true | undefined
  /** The event that reports the change. */
  eventId: number
}

/** The model is told of a change with the next message. */
export async function insertNote(tx: Tx, session: SessionId, changed: Changed): Promise<void> {
  const { dedupKey, person, eventId, quotesOthers } = changed
  // A platform's report of a change doesn't say who is a bot.
  const by = person.id === changed.by.id ? changed.by : person
  const said = { person: by, text: '', files: [], note: noteOf(changed), quotesOthers }
  const key = `${keyOf(dedupKey)}${eventId}`
  await insertInbox(tx, session, { dedupKey: key, kind: 'message', payload: said, eventId, state: 'held' })
}

const keyOf = (dedupKey: string): string => `${dedupKey}:change:`

function noteOf({ by, text, isEarlier = false }: Changed): string {
  const name = plainName(by.name)
  const isData = isEarlier ? `\n${inboundWords.stillData()}` : ''
  return text === null
    ? `[The program] A message from ${name} above was deleted: disregard it, and don’t repeat it.`
    : `[The program] ${name} has edited a message above. It now reads: ${quotedLine(notThePrograms(text))}${isData}`
}

/**
 * Earlier notes quote what a message read before it was changed again. Those that were read stay without the quote.
 * Returns the number of the first one in the history.
 */
export async function emptyNotes(tx: Tx, session: SessionId, { dedupKey, by }: Changed): Promise<number | undefined> {
  const without = inboundWords.changedAgain({ name: plainName(by.name) })
  let first: number | undefined
  for (const { seq, state, turn, payload } of await findByKeys(tx.db, session, keyOf(dedupKey))) {
    // The column holds what insertNote has stored.
    const { note = '', ...said } = payload as InboxPayload['message']
    await rewriteInbox(tx, session, seq, { ...said, note: without })
    if (state !== 'taken') await takeInbox(tx, session, [seq], null)
    else if (turn !== null && note !== without) {
      const place = await rewriteNote(tx, session, { turn, note }, without)
      first ??= place
    }
  }
  return first
}
