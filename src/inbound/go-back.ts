import type { Person, WorkspaceFile } from '../domain/chat.ts'
import type { SessionId } from '../domain/ids.ts'
import { Failure } from '../kit/failure.ts'
import { plainName } from '../kit/text/text.ts'
import { toolsCalledSince } from '../store/calls.ts'
import { appendEvents, eventAt, readEvents } from '../store/events.ts'
import { dropExpected } from '../store/files.ts'
import { findByEvent, insertInbox, takeInbox, unreadInbox } from '../store/inbox.ts'
import type { InboxPayload } from '../store/inbox-event.ts'
import { placeOfMessage, undoFrom } from '../store/messages.ts'
import type { Session } from '../store/sessions.ts'
import type { Tx } from '../store/store.ts'
import { openTurn } from '../store/turns.ts'
import { inboundWords } from './words.ts'

/** Of the message that another one replaces. */
export interface Replaced {
  text: string
  files: WorkspaceFile[]
}

/** Called when a message of the history was changed, or undone with all that came after it, in that transaction. */
export type Rewritten = (tx: Tx, session: SessionId, message: number, how: 'changed' | 'undone') => Promise<void>

/**
 * Somebody goes back to a message, to have it answered again or to say something else in its place. What was said since
 * stays stored, but no model is sent it any more; what was done stays done, and the model is told so. `number`: the
 * event that reported the message; `seen`: that of the last one on their screen. Throws the Failures `not_found`,
 * `still_running`, and `said_since` if others have said something that they haven't seen.
 */
export async function goBack(
  tx: Tx,
  { id: session, historyFrom }: Session,
  { number, person, dedupKey, seen }: { number: number; person: Person; dedupKey: string; seen?: number | undefined },
  rewritten: Rewritten,
): Promise<Replaced> {
  const received = await findByEvent(tx.db, session, number)
  const told = await eventAt(tx.db, session, number)
  if (received?.kind !== 'message' || told?.type !== 'message') throw notThere()
  if ((await openTurn(tx.db, session)) !== undefined) throw stillRunning()
  // The column holds what insertInbox was given.
  const payload = received.payload as InboxPayload['message']
  // The call that asked has read it, too.
  if (payload.answered !== undefined) throw notThere()
  const place =
    received.turn === null || received.state !== 'taken'
      ? undefined
      : await placeOfMessage(tx, session, { ...payload, turn: received.turn, text: payload.words ?? payload.text })
  const isRead = received.state === 'taken'
  if (isRead && (place === undefined || place < historyFrom)) throw notThere()
  const other = seen === undefined ? undefined : await saidSince(tx, session, seen, person)
  if (other !== undefined) throw unseen(other)

  const data = { message_id: told.data.message_id, person }
  const eventId = await appendEvents(tx, session, [{ type: 'undone', data }])
  // What was said before the message is read with the new one.
  const unread = (await unreadInbox(tx.db, session)).filter(({ kind, seq }) => kind !== 'alarm' && seq >= received.seq)
  await takeInbox(
    tx,
    session,
    unread.map(({ seq }) => seq),
    null,
  )
  // The files of the message itself go along with the new one; the bytes of the others are removed at the next start.
  for (const { seq } of unread) if (seq !== received.seq) await dropExpected(tx, session, seq)
  if (place !== undefined) {
    const note = noteOf(person, await toolsCalledSince(tx.db, session, place))
    await undoFrom(tx, session, place)
    await rewritten(tx, session, place, 'undone')
    const said = { person, text: '', files: [], note }
    await insertInbox(tx, session, {
      dedupKey: `${dedupKey}:undone`,
      kind: 'message',
      payload: said,
      eventId,
      state: 'held',
    })
  }
  return { text: payload.text, files: payload.files }
}

const eventsAtOnce = 200

/** Somebody else who has said something after this event. */
async function saidSince(tx: Tx, session: SessionId, seen: number, { id }: Person): Promise<Person | undefined> {
  for (let from = seen + 1; ; from += eventsAtOnce) {
    const events = await readEvents(tx.db, session, from, eventsAtOnce)
    for (const { type, data } of events)
      if (type === 'message' && data.role === 'user' && data.person !== undefined && data.person.id !== id)
        return data.person
    if (events.length < eventsAtOnce) return undefined
  }
}

/** As many tools as a note names. */
const mostTools = 12

function noteOf(person: Person, tools: string[]): string {
  const name = plainName(person.name)
  if (tools.length === 0) return inboundWords.wentBack({ name })
  const named = tools.slice(0, mostTools).join(', ')
  return inboundWords.wentBackPastCalls({ name, tools: tools.length > mostTools ? `${named}, …` : named })
}

const notThere = (): Failure => new Failure('not_found', inboundWords.cannotGoBack(), inboundWords.cannotGoBackRemedy())

const stillRunning = (): Failure =>
  new Failure('still_running', inboundWords.turnRunning(), inboundWords.turnRunningRemedy())

const unseen = ({ name }: Person): Failure =>
  new Failure('said_since', inboundWords.saidSince({ name: plainName(name) }), inboundWords.saidSinceRemedy())
