import { newId } from '../../domain/ids.ts'
import { appendEvents } from '../../store/events.ts'
import { acquire } from '../../store/hold-session.ts'
import { takeUnchanged } from '../../store/inbox.ts'
import { type InboxEvent, isUnnamed } from '../../store/inbox-event.ts'
import { LeaseLost } from '../../store/lease-lost.ts'
import type { Session } from '../../store/sessions.ts'
import type { Lease } from '../../store/store.ts'
import { createTurn, type StoredTurn } from '../../store/turns.ts'
import { asSaid } from '../state/as-said.ts'
import type { Work } from '../state/next-turn.ts'
import type { TurnServices } from '../state/services.ts'
import { Turn } from '../state/turn.ts'
import { type PreparedMessage, prepare, put, tellNamed } from './read-inbox.ts'

/** No session has this epoch, so any write with it would be refused. */
const notYet = -1

/**
 * If only plain messages wait, takes the session, begins its turn and reads them in one transaction. Undefined if there
 * is more to do, or on any error; then the steps are taken one by one and meet the same error.
 */
export async function openAtOnce(
  session: Session,
  { unread }: Work,
  { signal, pastCrash }: { signal: AbortSignal; pastCrash(): void },
  bot: TurnServices,
): Promise<Turn | undefined> {
  try {
    const waiting = asSaid(unread)
    const first = waiting.find((event) => !event.held)
    if (first?.kind !== 'message' || !waiting.every(isWords) || session.earlier === 'wanted') return undefined
    if (mayHaveGap(session, bot)) return undefined
    const lease: Lease = { session: session.id, epoch: notYet }
    const row = newRow(session, first, bot.clock.now())
    const turn = await Turn.open({ session, row, opening: first, lease, signal, pastCrash }, bot)
    // Its parent looks after a child's folders, and the child's own calls mend them again.
    if (!turn.isChild) await turn.workspace.mend()
    if (turn.workspace.isMended()) return undefined
    const prepared = await prepare(waiting, turn, new Map())
    await tellNamed(waiting, prepared, turn)
    await begin(turn, waiting, prepared)
    return turn
  } catch (thrown) {
    if (thrown instanceof LeaseLost || signal.aborted || bot.engine.leaving.aborted) throw thrown
    return undefined
  }
}

function mayHaveGap({ parent, thread }: Session, { platforms }: TurnServices): boolean {
  const catching = parent === undefined ? platforms.get(thread.platform)?.catchUp(thread) : undefined
  // Whoever reads the inbox waits for it.
  catching?.catch(() => {})
  return catching !== undefined
}

const isWords = ({ kind, payload }: InboxEvent): boolean =>
  kind === 'message' && payload.files.length === 0 && payload.earlier === undefined

const newRow = (
  session: Session,
  { seq, payload: { person, timeZone = session.timeZone } }: Extract<InboxEvent, { kind: 'message' }>,
  now: number,
): StoredTurn => ({
  id: newId('turn', now),
  session: session.id,
  state: 'running',
  inboxSeq: seq,
  steps: 0,
  segment: 0,
  person,
  timeZone,
  startedAt: now,
  deaths: 0,
})

/** Throws when something else has happened in the session meanwhile: the database refuses a second open turn. */
async function begin(turn: Turn, waiting: InboxEvent[], prepared: Map<number, PreparedMessage>): Promise<void> {
  const { store, session, row, bot, lease } = turn
  const { changes } = turn.prompt
  const expected = { next_event: 1, next_message: waiting.length + (changes === undefined ? 0 : 1) }
  const begun = await store.patiently(session.id, async (tx) => {
    const taken = await acquire(tx, session.id, bot.holder, expected)
    await createTurn(tx, session.id, row.inboxSeq, row, row)
    await appendEvents(tx, session.id, [{ type: 'start', data: { turn_id: row.id, reason: 'message' } }])
    if (!(await takeUnchanged(tx, session.id, waiting, row.id))) throw new Error('what was to be read has changed')
    const told = await put(tx, waiting, prepared, { mended: '', changes }, turn)
    return { ...told, epoch: taken.lease.epoch, isFirst: taken.session.messages === 0 && changes === undefined }
  })
  lease.epoch = begun.epoch
  turn.prompt = begun.prompt
  turn.justRead = { isAmongPeople: waiting.every(isUnnamed), history: begun.isFirst ? begun.messages : undefined }
  // A person may have loaded tools into the thread, or narrowed it.
  const mentions = [...prepared.values()].flatMap(({ mentioned }) => mentioned ?? [])
  if (mentions.some(({ tools, named }) => tools.length > 0 || named.length > 0)) await turn.reloadTools()
}
