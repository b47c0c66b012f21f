import type { Person, WorkspaceFile } from '../domain/chat.ts'
import type { RequestId, SessionId } from '../domain/ids.ts'
import { pageKey } from '../domain/keys.ts'
import type { Request } from '../domain/request.ts'
import { digest } from '../kit/text/digest.ts'
import { ownWords } from '../kit/text/own-words.ts'
import { parentCallOf } from '../store/children.ts'
import { questionsTold } from '../store/events.ts'
import { insertInbox, pendingInbox, rewriteInbox, takeInbox, turnIntoAnswer } from '../store/inbox.ts'
import type { AnswerPayload } from '../store/inbox-event.ts'
import { pendingRequests } from '../store/list-requests.ts'
import { findPosting } from '../store/postings.ts'
import { findRequest } from '../store/requests.ts'
import { findSession } from '../store/sessions.ts'
import type { Db, Tx } from '../store/store.ts'
import { answerKey, isAddressee, isOverdue, notAddressed, takeAnswer } from './answer.ts'
import { answerOf } from './answer-in-text.ts'
import { cardKey } from './cards.ts'
import { matchAnswer } from './match-option.ts'
import { isReadAsWell } from './names-in-answer.ts'
import type { Rules } from './rules.ts'
import { aroundOf, mayReply } from './who.ts'

interface Said {
  text: string
  person: Person
  files: WorkspaceFile[]
  quotesOthers?: true | undefined
  /** The message's id on the platform. The console has none. */
  message: string | undefined
  /** In the console: the last event that its author had on the screen; undefined if their program doesn't say. */
  seen?: number | undefined
  /** The only question that it may answer, which its form belongs to. That its author may was found out before. */
  answers?: RequestId | undefined
}

type AnswerRules = Pick<Rules, 'questions'>

/** An answer that was accepted. `row` identifies it in the inbox when the message has a row of its own. */
interface Taken {
  /** Whose question it was: of this session, or of a child. */
  session: SessionId
  payload: AnswerPayload
  row: { dedupKey: string; eventId: number }
  /** The message is read by the session in which it was said, as well as by the call that asked. */
  isRead: boolean
}

/**
 * While a question waits and its card is known to be in the thread, a message below the card is its answer, and so is
 * one that names it. In the console, whoever wrote it must have had the question on the screen.
 */
export async function answerQuestion(
  tx: Tx,
  session: SessionId,
  said: Said,
  isBelow: (card: string) => boolean,
  rules: AnswerRules,
): Promise<Taken | undefined> {
  for (const request of await pendingRequests(tx.db, session)) {
    // Only the session itself fetches files.
    if (request.session !== session && said.files.length > 0) continue
    if (!fits(request, said)) continue
    if (said.answers === undefined) {
      if (
        !(await wasShown(tx, session, request, said, isBelow)) ||
        !(await mayAnswerBelow(tx.db, request, said, rules))
      )
        continue
    } else if (said.answers !== request.id || isOverdue(request, tx.now)) continue
    return take(tx, request, said, session)
  }
  return undefined
}

async function wasShown(
  tx: Tx,
  session: SessionId,
  { id }: Request,
  { message, seen }: Said,
  isBelow: (card: string) => boolean,
): Promise<boolean> {
  // What was asked later may have been asked while the message was on its way.
  if (message === undefined) return seen === undefined || !(await questionsTold(tx.db, session, seen + 1)).includes(id)
  const card = await findPosting(tx.db, pageKey(cardKey(id), 0))
  return card?.id !== undefined && isBelow(card.id)
}

/**
 * Called once a card is known to be in the thread: a message that arrived below it before we knew that is its answer.
 * False when there was none.
 */
export async function answerSaidBelow(
  tx: Tx,
  id: RequestId,
  isBelow: (message: string) => boolean,
  rules: AnswerRules,
): Promise<boolean> {
  const request = await findRequest(tx.db, id)
  if (request === undefined || request.state !== 'pending') return false
  // A message that is being stored right now is seen here, or it sees the card.
  const home = (await parentCallOf(tx.db, request.session))?.session ?? request.session
  await tx.hold(home)
  for (const event of await pendingInbox(tx.db, home)) {
    if (event.kind !== 'message' || event.payload.answered !== undefined) continue
    const { text, person, files, message, latest, editedAt, quotesOthers } = event.payload
    // The program's own messages have no id, and what was said before the mention is above the card.
    if (message === undefined || !isBelow(message)) continue
    const said = { text, person, files, message, quotesOthers }
    if (!fits(request, said) || (home !== request.session && files.length > 0)) continue
    if (!(await mayAnswerBelow(tx.db, request, said, rules))) continue
    const taken = await take(tx, request, said, home)
    if (taken === undefined) return false
    const own = { ...event.payload, answered: id }
    if (home !== request.session) {
      await rewriteInbox(tx, home, event.seq, own)
      await takeInbox(tx, home, [event.seq], null)
      await insertInbox(tx, request.session, { ...taken.row, kind: 'answer', payload: taken.payload })
      tx.wakes(request.session)
    } else if (files.length === 0 && !taken.isRead)
      await turnIntoAnswer(tx, home, event.seq, { ...taken.payload, latest, editedAt })
    else {
      const kept = taken.isRead ? own : { ...own, text: '', latest: latest ?? digest(text) }
      await rewriteInbox(tx, home, event.seq, kept)
      await insertInbox(tx, request.session, { ...taken.row, kind: 'answer', payload: taken.payload })
    }
    return true
  }
  return false
}

/** Whether these words are an option of a question that waits in a session, and whoever said them may answer it. */
export async function namesOption(
  db: Db,
  session: SessionId,
  { text, person, message }: Pick<Said, 'text' | 'person' | 'message'>,
  rules: AnswerRules,
): Promise<boolean> {
  const name = text.trim().replace(/[.!]$/, '')
  for (const request of await pendingRequests(db, session)) {
    if (request.kind === 'approval' || matchAnswer(request.payload, name).option_ids.length === 0) continue
    if (!fits(request, { text, person, files: [] })) continue
    if (await mayAnswerBelow(db, request, { person, message }, rules)) return true
  }
  return false
}

function fits(request: Request, { text, person, files }: Pick<Said, 'text' | 'person' | 'files'>): boolean {
  if (request.kind === 'approval' || (text.trim() === '' && files.length === 0)) return false
  // A file or a quote doesn't say whether to continue the loop.
  if (ownWords(text) === '' && request.kind === 'loop') return false
  return notAddressed(request, { person, operator: false }) === undefined
}

/**
 * Whether the rules let this person answer a question to nobody in particular. Platforms can't be asked about groups
 * inside a transaction, so members of a group click.
 */
async function mayAnswerBelow(
  db: Db,
  request: Request,
  { person, message }: Pick<Said, 'person' | 'message'>,
  { questions }: AnswerRules,
): Promise<boolean> {
  // Only the operator writes at the console.
  const by = { person, operator: message === undefined }
  if (request.kind === 'approval' || isAddressee(request.payload, by)) return true
  const session = await findSession(db, request.session)
  if (session === undefined) return false
  const around = await aroundOf(db, session, request)
  // Whoever writes in the thread is one of its people, even if this is their first message there.
  const participants = person.bot ? around.participants : [...around.participants, person]
  return mayReply(questions.who, by, { ...around, participants }, async () => false)
}

async function take(
  tx: Tx,
  request: Request,
  { text, person, files, quotesOthers }: Said,
  home: SessionId,
): Promise<Taken | undefined> {
  if (request.kind === 'approval') return undefined
  const isRead = request.session === home && (await isReadAsWell(tx, request, text))
  const taken = await takeAnswer(tx, request, answerOf(request, text, files), person)
  if (taken === undefined) return undefined
  const row = { dedupKey: answerKey(request.id), eventId: taken.eventId }
  return { session: request.session, payload: { person, request: request.id, quotesOthers }, row, isRead }
}
