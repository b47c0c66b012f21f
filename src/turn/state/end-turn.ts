import type { Outgoing, WorkspaceFile } from '../../domain/chat.ts'
import type { NewEvent } from '../../domain/events.ts'
import { type MessageId, newId } from '../../domain/ids.ts'
import { pageKey, replyKey } from '../../domain/keys.ts'
import type { Usage } from '../../kit/model/model.ts'
import { tellParent } from '../../store/children.ts'
import { appendEvents } from '../../store/events.ts'
import { recordOutputs } from '../../store/files.ts'
import type { ChildEnd, InboxEvent } from '../../store/inbox-event.ts'
import { insertClaiming, insertOutbox } from '../../store/outbox.ts'
import { endPlan } from '../../store/plans.ts'
import type { Session } from '../../store/sessions.ts'
import type { Tx } from '../../store/store.ts'
import { advanceTurn, nextSegment, type StoredTurn } from '../../store/turns.ts'
import { turnWords } from '../port/words.ts'
import { noteUnanswered } from './note-unanswered.ts'

/** A file the turn made. The first of them are posted. */
export type NewOutput = WorkspaceFile & { hash: string }

interface Said {
  text: string
  outputs: NewOutput[]
}

/** Most files posted at a time. The others don't follow by themselves; people are told of them. */
export const mostPosted = 50

/** A model call that was answered, with its usage. Stored with what becomes of the turn. */
export interface Step {
  step?: true
  usage?: Usage | undefined
  model?: string | undefined
}

/** The turn an answer belongs to. `isPosted`: on a platform, not only on screens. `opening`: what woke it, if known. */
type Shown = StoredTurn & { isPosted: boolean; home: Session; opening?: InboxEvent | undefined }

type Owner = Pick<StoredTurn, 'id' | 'session'>

/** When an attempt that never ended is repeated, ms. */
const retryMs = 1_000

/** Posts what ends the turn's current message; anything after it begins another. Returns its key. */
async function post(tx: Tx, turn: Shown, message: Outgoing, step: Step = {}): Promise<MessageId> {
  const { segment } = await advanceTurn(tx, turn.id, { ...step, posts: true })
  return postAt(tx, turn, segment, message)
}

/** Says something in the middle of a turn. What follows belongs to its next message. */
export async function sayMidway(tx: Tx, turn: Shown, said: Said, step: Step = {}): Promise<void> {
  const { text, files } = await withFiles(tx, turn, said)
  const message_id = await post(tx, turn, { text, files }, step)
  const data = { turn_id: turn.id, message_id, ...(files.length > 0 && { files }) }
  await appendEvents(tx, turn.session, [{ type: 'said', data }])
}

/** Posts files in a message of their own, apart from what the turn says and shows. */
export async function postFiles(tx: Tx, turn: Owner, outputs: NewOutput[]): Promise<void> {
  const payload = await withFiles(tx, turn, { text: '', outputs })
  const { session } = turn
  await insertOutbox(tx, { key: newId('msg', tx.now), session, turn: undefined, kind: 'answer', payload })
}

/** The message that brings these files. They are recorded, so that none is posted twice. */
async function withFiles(tx: Tx, { id, session }: Owner, { text, outputs }: Said): Promise<Outgoing> {
  await recordOutputs(tx, session, id, outputs)
  const files = outputs.slice(0, mostPosted).map(({ hash: _, ...file }): WorkspaceFile => file)
  const more = outputs.length - files.length
  if (more === 0) return { text, files }
  return { text: `${text.trim()}\n\n${turnWords.moreOutputs({ more, most: mostPosted })}`.trim(), files }
}

async function postAt(tx: Tx, turn: Shown, segment: number, message: Outgoing): Promise<MessageId> {
  const key = replyKey(turn.id, segment)
  // Its parent tells people the outcome.
  if (turn.home.parent !== undefined) return key
  const entry = { key, session: turn.session, turn: turn.id, kind: 'answer' as const, payload: { ...message, segment } }
  const page = turn.isPosted ? pageKey(key, 0) : undefined
  const { home, opening, startedAt } = turn
  const begun = opening?.kind === 'message' ? { at: startedAt, event: opening.eventId } : undefined
  await insertClaiming(tx, entry, { page, retryMs, home, begun })
  return key
}

/** Ends the turn's current message without an answer; it shows what the turn has done. */
export async function closeMessage(tx: Tx, turn: Owner, how: { nothing?: true } = {}): Promise<void> {
  const segment = await nextSegment(tx, turn.id)
  await closeAt(tx, turn, { segment, ...how })
}

async function closeAt(tx: Tx, { id, session }: Owner, payload: { segment: number; nothing?: true }): Promise<void> {
  await insertOutbox(tx, { key: replyKey(id, payload.segment), session, turn: id, kind: 'record', payload })
}

/** Why a turn that has ended with words may not have done its work. */
export type CutShort = 'stopped' | 'out-of-steps'

export type Ending =
  /** `cutShort`: a parent doesn't take the text for what it asked for. */
  | { state: 'done'; text: string; outputs: NewOutput[]; cutShort: CutShort | undefined }
  /**
   * `words`: what the thread, or a parent, is told when `message` is for the operator. `isToldAlready`: it isn't told
   * again.
   */
  | { state: 'failed'; code: string; message: string; remedy: string; words?: string; isToldAlready: boolean }

/** Ends a turn without an answer and removes what had been shown of it. */
export async function endSilently(tx: Tx, turn: StoredTurn, { parent }: Session, step: Step = {}): Promise<void> {
  const { steps, segment } = await advanceTurn(tx, turn.id, { ...step, posts: true, ends: 'done' })
  const data = { turn_id: turn.id, content: '', files: [], steps }
  await appendEvents(tx, turn.session, [{ type: 'complete', data }])
  if (parent === undefined) await closeAt(tx, turn, { segment, nothing: true })
  else await tellParent(tx, parent, { state: 'done', text: '', steps })
}

/** Which model answered, and how many tokens the turn has had if they were counted. */
const told = ({ model }: Step, { tokensIn, tokensOut }: { tokensIn: number; tokensOut: number }) => ({
  ...(model !== undefined && { model }),
  ...(tokensIn > 0 && { tokens_in: tokensIn, tokens_out: tokensOut }),
})

const endOf = (cutShort: CutShort | undefined): Pick<ChildEnd, 'state' | 'isOutOfSteps'> => ({
  state: cutShort === undefined ? 'done' : 'stopped',
  ...(cutShort === 'out-of-steps' && { isOutOfSteps: true }),
})

/** Ends a turn and says so in the thread. State, event and posting are one transaction. */
export async function endTurn(tx: Tx, turn: Shown, ending: Ending, step: Step = {}): Promise<void> {
  const { parent } = turn.home
  // A subagent that was cut short hasn't done its task.
  const ends = parent !== undefined && ending.state === 'done' ? endOf(ending.cutShort).state : ending.state
  const { steps, segment, ...counted } = await advanceTurn(tx, turn.id, { ...step, posts: true, ends })
  // Only a turn with calls can have one.
  if (steps > 1 && parent === undefined) await endPlan(tx, turn.id, 'the turn ended before it')
  if (ending.state === 'failed') {
    const { code, message, remedy, words = `${message} ${remedy}` } = ending
    await tell({ type: 'error', data: { turn_id: turn.id, code, message, remedy } })
    if (parent !== undefined) await tellParent(tx, parent, { state: 'failed', text: words, steps })
    const said = turnWords.couldNotContinue({ why: words })
    if (!ending.isToldAlready) return void (await postAt(tx, turn, segment, { text: said, files: [] }))
    await noteUnanswered(tx, turn, turn.home, said)
    return closeAt(tx, turn, { segment, nothing: true })
  }
  const { text, files } = await withFiles(tx, turn, ending)
  await tell({ type: 'complete', data: { turn_id: turn.id, content: text, files, steps, ...told(step, counted) } })
  if (parent !== undefined) await tellParent(tx, parent, { ...endOf(ending.cutShort), text, steps })
  await postAt(tx, turn, segment, { text, files })

  async function tell(event: NewEvent): Promise<void> {
    await appendEvents(tx, turn.session, [event])
  }
}
