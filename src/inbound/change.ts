import type { Change, Heard } from '../domain/chat.ts'
import type { MessageId, SessionId } from '../domain/ids.ts'
import { deletedText } from '../domain/messages.ts'
import { digest } from '../kit/text/digest.ts'
import { cutUtf8, oneLine } from '../kit/text/text.ts'
import { appendEvents, eventAt } from '../store/events.ts'
import { dropExpected } from '../store/files.ts'
import { aloneWith, insertDeleted } from '../store/ignored.ts'
import { findByDedupKey, isAbout, type Received, rewriteInbox, takeInbox } from '../store/inbox.ts'
import { deleted, type InboxPayload } from '../store/inbox-event.ts'
import { rewriteMessage } from '../store/messages.ts'
import { findSession, findSessionByThread, retitle } from '../store/sessions.ts'
import type { Tx } from '../store/store.ts'
import { openTurn } from '../store/turns.ts'
import { type Access, whyIgnored } from '../trust/admit.ts'
import { stopTurn } from '../turn/state/stop.ts'
import { changeAnswer, changeAnswered, isOlder } from './change-answer.ts'
import { emptyNotes, insertNote } from './change-note.ts'
import { type HearDeps, hear } from './hear.ts'
import { startRewriting } from './rewrite-whole.ts'
import { inboundWords } from './words.ts'

/**
 * A message was edited or deleted. If nobody has read it yet, only its new text is read. If it has been read, the
 * history is changed and the model is told with the next message. The running turn stops once every message that it was
 * asked with is deleted. An edit may also make a message one for the bot.
 */
export async function hearChange(heard: Change, deps: HearDeps): Promise<void> {
  const now = heard.now && { ...heard.now, text: deps.store.mask(heard.now.text) }
  const changed = { ...heard, now }
  const attempt = async () => {
    const outcome = await deps.store.transaction((tx) => apply(tx, changed, deps))
    const asks = typeof outcome === 'object' && 'asks' in outcome ? outcome.asks : undefined
    if (asks === undefined) return outcome
    const words = await deps.userMessage(...asks)
    return deps.store.transaction((tx) => apply(tx, { ...changed, words }, deps))
  }
  let outcome = await attempt()
  if (outcome === unknown) {
    // The edit is what mentions the bot, or it came before its message.
    if (now === undefined || (await isFromBefore(now, deps))) return
    const { kind } = await hear({ ...now, at: deps.clock.now() }, deps)
    // The message was stored meanwhile, as it was before the edit.
    if (kind === 'duplicate') outcome = await attempt()
  }
  if (outcome === undefined || outcome === unknown) return
  if (outcome.stopped) deps.engine.interrupt(outcome.session)
  deps.engine.wake(outcome.session)
  await Promise.all(outcome.dropped.map((file) => deps.staging.drop(file)))
}

/** No such message is stored. */
const unknown = Symbol('unknown')

/** What people edit of what was said before the bot came isn't said to the bot, unless it mentions it. */
async function isFromBefore({ thread, mentioned, at }: Heard, { store }: HearDeps): Promise<boolean> {
  if (mentioned) return false
  const session = await findSessionByThread(store.db, thread)
  return session !== undefined && at < session.createdAt
}

/** `words`: what plug-ins make of its text. If a turn has read it, they are asked, between two transactions. */
async function apply(
  tx: Tx,
  change: Change & { words?: string },
  { messageBytes, access, liveTexts, rewritten }: HearDeps,
) {
  const { dedupKey, person, now, words } = change
  const received = await findHeld(tx, dedupKey)
  if (received === undefined) {
    if (now === undefined) await insertDeleted(tx, change)
    return unknown
  }
  const latest = now === undefined ? deleted : digest(now.text)
  const text = now === undefined ? null : shortened(now.text, messageBytes)
  const mayNot = now !== undefined && !maySpeak(now, access)
  if (received.kind === 'answer' && !mayNot)
    return changeAnswer(tx, received, { dedupKey, person, text, latest, editedAt: now?.editedAt }, rewritten)
  if (received.kind !== 'message') return undefined
  const { session, seq, turn: reading } = received
  if ((await findSession(tx.db, session))?.isDeleted !== false) return undefined
  // The column holds what insertInbox was given.
  const payload = received.payload as InboxPayload['message']
  const before = payload.latest ?? digest(payload.text)
  const isLate = latest === before || before === deleted || isOlder(now ?? {}, payload)
  if (isLate || (mayNot && payload.earlier === undefined)) return undefined
  const unread = received.state !== 'taken'
  const isEarlier = payload.earlier !== undefined
  if (!unread && reading !== null && !isEarlier && text !== null && words === undefined)
    return { session, stopped: false, dropped: [], asks: [text, { session, turn: reading }] as const }
  const eventId = await appendEvents(tx, session, [
    { type: 'changed', data: { message_id: await messageIdOf(tx, received), text, person } },
  ])
  await followTitle(tx, session, payload.text, text)
  const { whole, files, ...rest } = payload
  const { answered } = payload
  const kept = unread && whole !== undefined ? { files: files.filter(({ path }) => path !== whole) } : { files, whole }
  const isRead = answered === undefined || payload.text !== ''
  const said = { latest, editedAt: now?.editedAt ?? payload.editedAt, text: (isRead && text) || '' }
  await rewriteInbox(tx, session, seq, { ...rest, ...kept, ...said, words: isRead ? words : undefined })
  const reader =
    answered === undefined
      ? session
      : await changeAnswered(tx, answered, { text, files: kept.files, eventId }, rewritten)

  if (whole !== undefined) await startRewriting(tx, { session, dedupKey, path: whole }, eventId)
  // What was forgotten before anybody had read it isn't told.
  if (!unread && (reading !== null || answered !== undefined)) {
    // The model must no longer be sent text that somebody took back.
    const change = { dedupKey, by: payload.person, text: words ?? text, person, eventId, isEarlier }
    const was = { ...payload, text: payload.words ?? payload.text }
    const own = reading && (await rewriteMessage(tx, session, { ...was, turn: reading }, words ?? text ?? deletedText))
    const told = await emptyNotes(tx, reader, change)
    const place = own ?? told
    if (place !== undefined) await rewritten(tx, reader, place, 'changed')
    await insertNote(tx, reader, change)
  }
  if (text !== null) {
    const dropped = unread && whole !== undefined ? await dropExpected(tx, session, seq, whole) : []
    return { session, stopped: false, dropped }
  }

  if (unread) await takeInbox(tx, session, [seq], null)
  const dropped = unread ? await dropExpected(tx, session, seq) : []
  const turn = await openTurn(tx.db, session)
  // Other people's messages still need an answer, read or not.
  const isOver = turn !== undefined && (await isAbout(tx.db, turn, seq))
  const stopped = isOver && (await stopTurn(tx, session, person, liveTexts, 'opening'))
  return { session, stopped, dropped }
}

/** A turn that is about to read the message waits, or has read it. */
async function findHeld(tx: Tx, dedupKey: string): Promise<Received | undefined> {
  const found = (await findByDedupKey(tx.db, dedupKey)) ?? (await findAlone(tx, dedupKey))
  if (found !== undefined) await tx.hold(found.session)
  return found && findByDedupKey(tx.db, dedupKey)
}

/** It may be being stored right now, elsewhere. */
async function findAlone(tx: Tx, dedupKey: string): Promise<Received | undefined> {
  await aloneWith(tx, dedupKey)
  return findByDedupKey(tx.db, dedupKey)
}

/** Somebody who was removed from the lists can't say more by editing. */
const maySpeak = (now: Heard, access: Access): boolean =>
  whyIgnored({ ...now, mentioned: true }, { known: true, recent: 0 }, access) === undefined

/** A long edit is cut instead of becoming a file as a new message would. */
function shortened(text: string, messageBytes: number): string {
  const cut = cutUtf8(text, messageBytes)
  return cut === text ? text : inboundWords.editCutShort({ cut })
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
