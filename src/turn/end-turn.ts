import type { Outgoing, WorkspaceFile } from '../domain/chat.ts'
import type { NewEvent } from '../domain/events.ts'
import type { MessageId } from '../domain/ids.ts'
import { replyKey } from '../domain/keys.ts'
import { appendEvents } from '../store/events.ts'
import { recordOutput } from '../store/files.ts'
import { insertOutbox } from '../store/outbox.ts'
import type { Tx } from '../store/store.ts'
import { nextSegment, type StoredTurn, setTurnState } from '../store/turns.ts'

/** A file that the turn made, and that is posted with its answer. */
export type NewOutput = WorkspaceFile & { hash: string }

/** Posts what ends the turn's current message; whatever follows begins another. Returns its key. */
export async function post(tx: Tx, turn: StoredTurn, message: Outgoing): Promise<MessageId> {
  const segment = await nextSegment(tx, turn.id)
  const key = replyKey(turn.id, segment)
  const payload = { ...message, segment }
  await insertOutbox(tx, { key, session: turn.session, turn: turn.id, kind: 'answer', payload })
  return key
}

/** The turn's current message shows what it has come to, without an answer. */
export async function closeMessage(
  tx: Tx,
  turn: Pick<StoredTurn, 'id' | 'session'>,
  how: { nothing?: true } = {},
): Promise<void> {
  const segment = await nextSegment(tx, turn.id)
  const key = replyKey(turn.id, segment)
  await insertOutbox(tx, { key, session: turn.session, turn: turn.id, kind: 'record', payload: { segment, ...how } })
}

export type Ending =
  | { state: 'done'; text: string; outputs: NewOutput[]; steps: number }
  /** `words`: what the thread is told, where the message is for whoever runs the bot. */
  | { state: 'failed'; code: string; message: string; remedy: string; words?: string }

/** Ends a turn without a word: what had been shown of it is taken away. */
export async function endSilently(tx: Tx, turn: StoredTurn, steps: number): Promise<void> {
  await setTurnState(tx, turn.id, 'done')
  const data = { turn_id: turn.id, content: '', files: [], steps }
  await appendEvents(tx, turn.session, [{ type: 'complete', data }])
  await closeMessage(tx, turn, { nothing: true })
}

/** Ends a turn and says so in the thread: state, event and posting are one transaction. */
export async function endTurn(tx: Tx, turn: StoredTurn, ending: Ending): Promise<void> {
  await setTurnState(tx, turn.id, ending.state)
  if (ending.state === 'failed') {
    const { code, message, remedy, words = `${message} ${remedy}` } = ending
    await tell({ type: 'error', data: { turn_id: turn.id, code, message, remedy } })
    await post(tx, turn, { text: `I could not go on: ${words}`, files: [] })
    return
  }
  const files = ending.outputs.map(({ hash: _, ...file }): WorkspaceFile => file)
  for (const output of ending.outputs) await recordOutput(tx, turn.session, turn.id, output)
  const { text, steps } = ending
  await tell({ type: 'complete', data: { turn_id: turn.id, content: text, files, steps } })
  await post(tx, turn, { text, files })

  async function tell(event: NewEvent): Promise<void> {
    await appendEvents(tx, turn.session, [event])
  }
}
