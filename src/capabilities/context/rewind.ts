import type { SessionId } from '../../domain/ids.ts'
import type { Message } from '../../domain/messages.ts'
import { readContext, writeContext } from '../../store/contexts.ts'
import { readMessages } from '../../store/messages.ts'
import type { Session } from '../../store/sessions.ts'
import type { Tx } from '../../store/store.ts'
import { isSameView, noState, type Report, readState, type Sent, type State } from './state.ts'

/**
 * Drops summaries that were made from the old text of a message. They are written again when they are needed. Where
 * everything from it on was undone, what remains may fit again, so a view that begins later goes as well.
 */
export async function forgetRewritten(
  tx: Tx,
  session: SessionId,
  message: number,
  how: 'changed' | 'undone',
): Promise<void> {
  // The columns hold what this capability wrote. The row is always written, so that a job that has just read the old
  // text waits for this transaction, and then sees the new text.
  const state = (await readContext(tx.db, session)) as State | undefined
  const { state: next, isStale } = rewound(state ?? noState, message, how)
  await writeContext(tx, session, next, isStale)
}

/** The state without summaries that know the message. `isStale`: the one that is ready has to go too. */
function rewound(state: State, message: number, how: 'changed' | 'undone'): { state: State; isStale: boolean } {
  const isStale = state.ready !== undefined && message < state.ready.from
  const isPast = ({ from, summary }: Sent) =>
    how === 'undone' ? message <= from : summary !== undefined && message < from
  const isTold = isPast(state)
  const knows = ({ sent }: Report) => sent !== undefined && isPast(sent)
  if (!isTold && !state.reports.some(knows))
    return { state: isStale ? { ...state, started: undefined } : state, isStale }
  const reports = state.reports.map((report): Report => {
    const { sent, ...figures } = report
    return knows(report) || sent === undefined ? figures : report
  })
  if (!isTold) return { state: { ...state, reports }, isStale }
  const { from, pinned, summary } = reports.findLast(({ sent }) => sent !== undefined)?.sent ?? noState
  const again = { turn: undefined, started: undefined }
  return { state: { ...state, from, pinned, summary, reports, ...again }, isStale: true }
}

/** Whether the messages up to `to`, which a summary was made from, still say the same. */
export async function isUnchanged(
  tx: Tx,
  { id: session, historyFrom }: Pick<Session, 'id' | 'historyFrom'>,
  { state, messages }: { state: State; messages: readonly Message[] },
  to: number,
): Promise<boolean> {
  if (!isSameView(await readState(tx.db, session, historyFrom), state)) return false
  const said = messages.filter(({ role, seq }) => role !== 'assistant' && seq > 0 && seq <= to)
  const [first] = said
  if (first === undefined) return true
  const stored = await readMessages(tx.db, session, { from: first.seq, to })
  const texts = new Map(stored.map(({ seq, text }) => [seq, text]))
  return said.every(({ seq, text }) => texts.get(seq) === text)
}
