import { isDeepStrictEqual } from 'node:util'
import type { Person, WorkspaceFile } from '../domain/chat.ts'
import type { RequestId, SessionId } from '../domain/ids.ts'
import { deletedText } from '../domain/messages.ts'
import type { QuestionAnswer } from '../domain/question.ts'
import type { QuestionRequest } from '../domain/request.ts'
import { digest } from '../kit/text/digest.ts'
import { ofOnePerson } from '../kit/text/marks.ts'
import { saysYes } from '../kit/text/yes.ts'
import { parentCallOf } from '../store/children.ts'
import { appendEvents, eventAt } from '../store/events.ts'
import { type Received, rewriteInbox } from '../store/inbox.ts'
import { type AnswerPayload, deleted, type InboxPayload } from '../store/inbox-event.ts'
import { rewriteResult } from '../store/messages.ts'
import { findRequest, rewriteAnswer } from '../store/requests.ts'
import { findSession, isResetSince } from '../store/sessions.ts'
import type { Tx } from '../store/store.ts'
import { answerOf } from '../trust/answer-in-text.ts'
import { showChanged } from '../trust/cards.ts'
import { answerText } from '../turn/port/answer-text.ts'
import { emptyNotes, insertNote } from './change-note.ts'
import type { Rewritten } from './go-back.ts'

export interface Changed {
  dedupKey: string
  person: Person
  /** Null: it was deleted. */
  text: string | null
  latest: string
  editedAt: number | undefined
  quotesOthers: true | undefined
}

/** A message that is nothing but the answer to a question was edited or deleted. */
export async function changeAnswer(tx: Tx, received: Received, changed: Changed, rewritten: Rewritten) {
  const { session, seq, eventId: reported } = received
  const { text, latest, editedAt, person } = changed
  // The column holds what insertInbox was given. Only a person's answer has a message's key.
  const answer = received.payload as AnswerPayload
  const home = (await parentCallOf(tx.db, session))?.session ?? session
  const told = await eventAt(tx.db, home, reported)
  if (told?.type !== 'message' || (await findSession(tx.db, home))?.isDeleted !== false) return undefined
  const before = answer.latest ?? digest(told.data.text)
  if (!(await isNews(tx, received, changed, { before, known: answer }))) return undefined
  const data = { message_id: told.data.message_id, text, person }
  const eventId = await appendEvents(tx, home, [{ type: 'changed', data }])
  const quotesOthers = answer.quotesOthers ?? changed.quotesOthers
  await rewriteInbox(tx, session, seq, { ...answer, latest, editedAt: editedAt ?? answer.editedAt, quotesOthers })
  await changeAnswered(tx, answer.request, { text, files: [], eventId }, rewritten)
  const change = { ...changed, by: answer.person ?? person, eventId }
  const place = await emptyNotes(tx, session, change)
  if (place !== undefined) await rewritten(tx, session, place, 'changed')
  if (!(await isResetSince(tx.db, home, reported))) await insertNote(tx, session, change)
  return { session, stopped: false, dropped: [] }
}

/** What was chosen stays chosen; a person's own words are changed wherever they are kept. Returns who was answered. */
export async function changeAnswered(
  tx: Tx,
  id: RequestId,
  { text, files, eventId }: { text: string | null; files: WorkspaceFile[]; eventId: number },
  rewritten: Rewritten,
): Promise<SessionId> {
  const request = await findRequest(tx.db, id)
  if (request === undefined) throw new Error(`there is no request ${id}`)
  const { session, call } = request
  if (request.kind === 'approval' || request.answer === undefined) return session
  const given = text === null ? undefined : answerOf(request, text, files)
  const answer = withWords(request.answer, given && 'text' in given ? given : undefined)
  if (isDeepStrictEqual(answer, request.answer)) return session
  await rewriteAnswer(tx, id, answer)
  await showChanged(tx, request, eventId)
  const place = await rewriteResult(tx, session, call, inResult(request), inResult({ ...request, answer }))
  if (place !== undefined) await rewritten(tx, session, place, 'changed')
  return session
}

type Known = InboxPayload['message'] | AnswerPayload

/** Whether it says something else than what is known, and isn't older. `before`: the digest of what it said. */
export async function isNews(
  tx: Tx,
  { session, seq }: Received,
  changed: Changed,
  { before, known }: { before: string; known: Known },
): Promise<boolean> {
  if (before === deleted || isOlder(changed, known)) return false
  const { latest, editedAt } = changed
  if (latest !== before) return true
  // The edit that it takes back may come later: plug-ins are being asked about it, or it is delivered late.
  if (editedAt !== undefined) await rewriteInbox(tx, session, seq, { ...known, editedAt })
  return false
}

/** An edit that is delivered late, or again, perhaps with other names for the people it mentions. */
const isOlder = (change: { editedAt?: number | undefined }, known: { editedAt?: number }): boolean =>
  change.editedAt !== undefined && known.editedAt !== undefined && change.editedAt <= known.editedAt

type Part = Pick<QuestionAnswer, 'text' | 'option_ids'>

function withWords({ also, ...first }: QuestionAnswer, given: QuestionAnswer | undefined): QuestionAnswer {
  const changed = <One extends Part>(part: One, now: Part | undefined): One =>
    isChoice(part) ? part : { ...part, text: given ? (now?.text ?? '') : deletedText }
  const further = also?.map((part, place) => changed(part, given?.also?.[place]))
  return { ...changed(first, given), ...(further && { also: further }) }
}

/** A plain yes is one too: what asked may go by it for as long as the turn takes. */
const isChoice = ({ option_ids, text }: Part): boolean => option_ids.length > 0 || text === '' || saysYes(text)

const inResult = (request: QuestionRequest): string =>
  request.kind === 'loop' ? `says: ${ofOnePerson(request.answer?.text ?? '')}` : answerText(request)
