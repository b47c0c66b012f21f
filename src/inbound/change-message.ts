import type { RemoteFile } from '../domain/chat.ts'
import type { MessageId, SessionId, TurnId } from '../domain/ids.ts'
import { deletedText } from '../domain/messages.ts'
import { oneLine } from '../kit/text/text.ts'
import { appendEvents, eventAt } from '../store/events.ts'
import { dropExpected } from '../store/files.ts'
import { isAbout, type Received, rewriteInbox, takeInbox } from '../store/inbox.ts'
import type { InboxPayload } from '../store/inbox-event.ts'
import { rewriteMessage } from '../store/messages.ts'
import { isResetSince, retitle } from '../store/sessions.ts'
import type { Tx } from '../store/store.ts'
import { openTurn } from '../store/turns.ts'
import { stopTurn } from '../turn/state/stop.ts'
import { type Changed, changeAnswered } from './change-answer.ts'
import { emptyNotes, insertNote } from './change-note.ts'
import type { HearDeps } from './hear.ts'
import { startRewriting } from './rewrite-whole.ts'

/** Texts, as people have written them or as plug-ins have changed them: the new one and, if it isn't known, the old. */
export interface Texts {
  now?: string | undefined
  was?: string | undefined
}

/** Nothing has changed yet: first, plug-ins have to be asked about texts that a turn has read or is to have read. */
export interface Asked {
  session: SessionId
  asks: Texts
  turn: TurnId
}

export interface Done {
  session: SessionId
  stopped: boolean
  dropped: RemoteFile[]
}

export interface ReceivedMessage extends Received {
  payload: InboxPayload['message']
}

/** A message was edited or deleted. `hooked`: what plug-ins make of its texts. */
export async function changeMessage(
  tx: Tx,
  received: ReceivedMessage,
  changed: Changed,
  hooked: Texts | undefined,
  deps: HearDeps,
): Promise<Done | Asked> {
  const { session, payload } = received
  const { text } = changed
  const isRead = received.state === 'taken'
  const turn = isRead ? received.turn : null
  const mayAsk = hooked === undefined && deps.userMessage !== undefined && payload.earlier === undefined
  const was = payload.words === undefined ? payload.text : undefined
  if (mayAsk && turn !== null && text !== null) return { session, turn, asks: { now: text, was } }
  const words = hooked?.now ?? text
  // The model must no longer be sent text that somebody took back.
  const said = { person: payload.person, text: payload.words ?? payload.text, words: hooked?.was }
  const own = turn === null ? undefined : await rewriteMessage(tx, session, { ...said, turn }, words ?? deletedText)
  // Perhaps it was read when this wasn't stored, or before there were plug-ins.
  if (mayAsk && turn !== null && own === undefined && was) return { session, turn, asks: { was } }

  const eventId = await storeChange(tx, received, changed, hooked?.now)
  const { answered } = payload
  const { files } = stillThere(received)
  const reader =
    answered === undefined ? session : await changeAnswered(tx, answered, { text, files, eventId }, deps.rewritten)
  // What was forgotten before anybody had read it isn't told.
  if (isRead && (turn !== null || answered !== undefined)) {
    const { dedupKey, person, quotesOthers } = changed
    const isEarlier = payload.earlier !== undefined
    const change = { dedupKey, by: payload.person, text: words, person, eventId, isEarlier, quotesOthers }
    const told = await emptyNotes(tx, reader, change)
    const place = own ?? told
    if (place !== undefined) await deps.rewritten(tx, reader, place, 'changed')
    if (!(await isResetSince(tx.db, session, received.eventId))) await insertNote(tx, reader, change)
  }
  if (text === null) return end(tx, received, changed, deps)
  const dropped =
    isRead || payload.whole === undefined ? [] : await dropExpected(tx, session, received.seq, payload.whole)
  return { session, stopped: false, dropped }
}

/** Stores what the message says now, and reports it. */
async function storeChange(
  tx: Tx,
  received: ReceivedMessage,
  { dedupKey, text, person, latest, editedAt, quotesOthers }: Changed,
  words: string | undefined,
): Promise<number> {
  const { session, seq, payload } = received
  const eventId = await appendEvents(tx, session, [
    { type: 'changed', data: { message_id: await messageIdOf(tx, received), text, person } },
  ])
  await followTitle(tx, session, payload.text, text)
  const hasText = payload.answered === undefined || payload.text !== ''
  const said = { latest, editedAt: editedAt ?? payload.editedAt, text: (hasText && text) || '' }
  const own = hasText ? words : undefined
  const quotes = payload.quotesOthers ?? quotesOthers
  await rewriteInbox(tx, session, seq, {
    ...payload,
    ...stillThere(received),
    ...said,
    words: own,
    quotesOthers: quotes,
  })
  const { whole } = payload
  if (whole !== undefined) await startRewriting(tx, { session, dedupKey, path: whole }, eventId)
  return eventId
}

/** The file with its whole text isn't read any more. */
function stillThere({ state, payload }: ReceivedMessage): Pick<ReceivedMessage['payload'], 'files' | 'whole'> {
  const { files, whole } = payload
  return state === 'taken' || whole === undefined
    ? { files, whole }
    : { files: files.filter(({ path }) => path !== whole), whole: undefined }
}

/** It was deleted. */
async function end(
  tx: Tx,
  { session, seq, state }: ReceivedMessage,
  { person }: Changed,
  { liveTexts }: HearDeps,
): Promise<Done> {
  const unread = state !== 'taken'
  if (unread) await takeInbox(tx, session, [seq], null)
  const dropped = unread ? await dropExpected(tx, session, seq) : []
  const turn = await openTurn(tx.db, session)
  // Other people's messages still need an answer, read or not.
  const isOver = turn !== undefined && (await isAbout(tx.db, turn, seq))
  const stopped = isOver && (await stopTurn(tx, session, person, liveTexts, { held: 'opening' }))
  return { session, stopped, dropped }
}

async function messageIdOf(tx: Tx, { session, eventId }: Received): Promise<MessageId> {
  const told = await eventAt(tx.db, session, eventId)
  return told?.type === 'message' ? told.data.message_id : 'msg_'
}

/** The session's title may come from this message. */
async function followTitle(tx: Tx, session: SessionId, was: string, text: string | null): Promise<void> {
  const title = oneLine(tx.mask(was), 80)
  if (title !== '') await retitle(tx, session, title, text === null ? deletedText : oneLine(tx.mask(text), 80))
}
