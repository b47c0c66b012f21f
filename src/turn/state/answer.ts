import { openingOf, pendingInbox } from '../../store/inbox.ts'
import { type InboxEvent, openingSaidAt } from '../../store/inbox-event.ts'
import { hasAnswered } from '../../store/outbox.ts'
import type { Session } from '../../store/sessions.ts'
import type { Db, Tx } from '../../store/store.ts'
import { advanceTurn, type StoredTurn } from '../../store/turns.ts'
import { type CutShort, endSilently, endTurn, type NewOutput, type Step, sayMidway } from './end-turn.ts'
import { lateWords } from './late.ts'
import { noteUnanswered } from './note-unanswered.ts'

interface Answering {
  turn: StoredTurn
  session: Session
  /** What woke the turn, if that can't change any more. */
  opening: InboxEvent | undefined
  /** An answer to something older than this says that it is late, ms. */
  lateMs: number
  /** On a platform, where a long text doesn't fit on a card. Screens show everything. */
  isPosted: boolean
  /** See `Hooks.underway`. */
  underway(db: Db): Promise<object | undefined>
}

/** When an answer ends the turn: only if nothing has arrived, or in any case, perhaps with its work cut short. */
export type When = 'nothing-arrived' | 'whatever' | CutShort

/** `with nothing left`: the inbox is empty too. */
export type Ended = 'open' | 'ended' | 'ended with nothing left'

/**
 * Ends the turn. If something has arrived that the text doesn't answer, or something of the turn goes on by itself,
 * with `nothing-arrived` the text is posted and the turn continues. The step is stored with it.
 */
export async function answer(
  tx: Tx,
  answering: Answering,
  { text, outputs, when }: { text: string; outputs: NewOutput[]; when: When },
  step: Step,
): Promise<Ended> {
  const turn = {
    ...answering.turn,
    isPosted: answering.isPosted,
    home: answering.session,
    opening: answering.opening,
  }
  const waiting = when === 'nothing-arrived' ? await pendingInbox(tx.db, turn.session) : undefined
  const goesOn = waiting !== undefined && (waiting.some(wantsAnswer) || (await isUnderway(tx, answering)))
  const words = await dated(tx, text, answering)
  if (goesOn) {
    await sayMidway(tx, turn, { text: words, outputs }, step)
    return 'open'
  }
  const cutShort = when === 'stopped' || when === 'out-of-steps' ? when : undefined
  await endTurn(tx, turn, { state: 'done', text: words, outputs, cutShort }, step)
  return waiting?.length === 0 ? 'ended with nothing left' : 'ended'
}

/**
 * Ends the turn, unless something has arrived or something of the turn goes on by itself. Files are posted either way.
 * `reason`: why it leaves messages unanswered, if it does.
 */
export async function endWithoutWords(
  tx: Tx,
  answering: Answering,
  { outputs, reason }: { outputs: NewOutput[]; reason?: string },
  step?: Step,
): Promise<Ended> {
  const { turn } = answering
  if (outputs.length > 0) return answer(tx, answering, { text: '', outputs, when: 'nothing-arrived' }, step ?? {})
  const waiting = await pendingInbox(tx.db, turn.session)
  if (waiting.some(wantsAnswer) || (await isUnderway(tx, answering))) {
    if (step !== undefined) await advanceTurn(tx, turn.id, step)
    return 'open'
  }
  if (reason !== undefined) await noteUnanswered(tx, turn, answering.session, reason)
  await endSilently(tx, turn, answering.session, step)
  return waiting.length === 0 ? 'ended with nothing left' : 'ended'
}

const isUnderway = async (tx: Tx, answering: Answering): Promise<boolean> =>
  (await answering.underway(tx.db)) !== undefined

const wantsAnswer = ({ kind }: InboxEvent): boolean => kind !== 'answer'

/** The first answer to an old message says that it is late. */
async function dated(tx: Tx, text: string, { turn, opening, lateMs }: Answering): Promise<string> {
  const at = openingSaidAt(opening ?? (await openingOf(tx.db, turn)))
  if (at === undefined || turn.startedAt - at < lateMs || (await hasAnswered(tx.db, turn.id))) return text
  return `${lateWords(at, turn)}\n\n${text.trim()}`
}
