import type { SessionId } from '../../domain/ids.ts'
import { appendEvents } from '../../store/events.ts'
import { acquire } from '../../store/hold-session.ts'
import { pendingInbox, takeInbox, unreadInbox } from '../../store/inbox.ts'
import type { InboxEvent } from '../../store/inbox-event.ts'
import { timeZoneOf } from '../../store/sessions.ts'
import type { Db, Lease, Store, Tx } from '../../store/store.ts'
import { countTaking, createTurn, openTurn, type StoredTurn, setTurnState } from '../../store/turns.ts'
import { asSaid } from './as-said.ts'

/** What there is to do in a session. */
export interface Work {
  open: StoredTurn | undefined
  unread: InboxEvent[]
}

export const lookForWork = async (db: Db, session: SessionId): Promise<Work> => ({
  open: await openTurn(db, session),
  unread: await unreadInbox(db, session),
})

/**
 * Whether it is worth a transaction. Only an answer lets a turn that waits go on: anything else would take the session
 * from whoever shows what its subagents do.
 */
export const isWork = ({ open, unread }: Work): boolean =>
  open?.state === 'running' || unread.some(({ held, kind }) => !held && (open === undefined || kind === 'answer'))

/** Takes the session over, with the turn to continue, or a new one for what has arrived. */
export function acquireTurn(
  store: Store,
  session: SessionId,
  holder: string,
): Promise<{ lease: Lease; turn?: StoredTurn }> {
  return store.patiently(session, async (tx) => {
    await countTaking(tx, session, holder)
    return { lease: (await acquire(tx, session, holder)).lease, turn: await next(tx, session) }
  })
}

/** The next turn; undefined when there is nothing to do. */
export const nextTurn = (store: Store, lease: Lease): Promise<StoredTurn | undefined> =>
  store.fenced(lease, (tx) => next(tx, lease.session))

async function next(tx: Tx, session: SessionId): Promise<StoredTurn | undefined> {
  const open = await openTurn(tx.db, session)
  if (open?.state === 'running') return open
  if (open === undefined) return beginTurn(tx, session)
  const answers = answersIn(await pendingInbox(tx.db, session))
  if (answers.length === 0) return undefined
  await takeInbox(tx, session, answers, open.id)
  await setTurnState(tx, open.id, 'running')
  return { ...open, state: 'running' }
}

/** Begins a turn for what waits in a session without an open turn; undefined when nothing does. */
export async function beginTurn(tx: Tx, session: SessionId): Promise<StoredTurn | undefined> {
  const waiting = await pendingInbox(tx.db, session)
  // An answer without a turn belongs to one that was stopped.
  await takeInbox(tx, session, answersIn(waiting), null)
  const first = openingIn(waiting)
  if (first === undefined) return undefined
  const { person, timeZone = await timeZoneOf(tx.db, session) } = { timeZone: undefined, ...first.payload }
  const turn = await createTurn(tx, session, first.seq, { person, timeZone })
  await appendEvents(tx, session, [{ type: 'start', data: { turn_id: turn.id, reason: first.kind } }])
  return turn
}

/** What would begin the next turn. */
export const nextOpening = async (tx: Tx, session: SessionId): Promise<InboxEvent | undefined> =>
  openingIn(await pendingInbox(tx.db, session))

const openingIn = (waiting: InboxEvent[]): Opening | undefined => asSaid(waiting).find(isOpening)

const answersIn = (waiting: InboxEvent[]): number[] =>
  waiting.filter(({ kind }) => kind === 'answer').map(({ seq }) => seq)

type Opening = Exclude<InboxEvent, { kind: 'answer' | 'command' }>

const isOpening = (event: InboxEvent): event is Opening => event.kind !== 'answer' && event.kind !== 'command'
