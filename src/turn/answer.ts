import { appendEvents } from '../store/events.ts'
import { openingSaidAt, pendingInbox } from '../store/inbox.ts'
import { hasAnswered } from '../store/outbox.ts'
import type { Tx } from '../store/store.ts'
import { advanceTurn, type StoredTurn } from '../store/turns.ts'
import { endSilently, endTurn, type NewOutput, post, type Step } from './end-turn.ts'
import { lateWords } from './late.ts'

interface Answering {
  turn: StoredTurn
  /** Of what was said longer ago the answer says so, ms. */
  lateMs: number
  /** On a platform: screens follow without it. */
  cardsAreShort: boolean
}

/**
 * Ends the turn, or posts the text and goes on when something has arrived that it does not answer (unless `always`). The
 * step is stored along.
 */
export async function answer(
  tx: Tx,
  answering: Answering,
  { text, outputs, always }: { text: string; outputs: NewOutput[]; always: boolean },
  step: Step,
): Promise<'open' | 'ended'> {
  const turn = { ...answering.turn, isPosted: answering.cardsAreShort }
  const goesOn = !always && (await hasArrived(tx, turn))
  const words = await dated(tx, text, answering)
  if (goesOn) {
    const message_id = await post(tx, turn, { text: words, files: [] }, step)
    await appendEvents(tx, turn.session, [{ type: 'said', data: { turn_id: turn.id, message_id } }])
    return 'open'
  }
  await endTurn(tx, turn, { state: 'done', text: words, outputs }, step)
  return 'ended'
}

/** Ends the turn, unless something has arrived. Files are posted all the same. */
export async function endWithoutWords(
  tx: Tx,
  answering: Answering,
  outputs: NewOutput[],
  step?: Step,
): Promise<'open' | 'ended'> {
  const { turn } = answering
  if (outputs.length > 0) return answer(tx, answering, { text: '', outputs, always: true }, step ?? {})
  if (await hasArrived(tx, turn)) {
    if (step !== undefined) await advanceTurn(tx, turn.id, step)
    return 'open'
  }
  await endSilently(tx, turn, step)
  return 'ended'
}

const hasArrived = async (tx: Tx, { session }: StoredTurn): Promise<boolean> =>
  (await pendingInbox(tx.db, session)).some(({ kind }) => kind !== 'answer')

/** What answers something old says so, the first time. */
async function dated(tx: Tx, text: string, { turn, lateMs }: Answering): Promise<string> {
  const at = await openingSaidAt(tx.db, turn)
  if (at === undefined || turn.startedAt - at < lateMs || (await hasAnswered(tx.db, turn.id))) return text
  return `${lateWords(at, turn)}\n\n${text}`
}
