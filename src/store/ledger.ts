import type { ExpressionBuilder, Transaction } from 'kysely'
import type { SessionId } from '../domain/ids.ts'
import { prepared, preparedRows } from './prepared.ts'
import { isWorthwhile, type Said, withoutSaid } from './said.ts'
import type { EventRow, Tables } from './schema.ts'
import type { SessionRow } from './session-rows.ts'

/** The next numbers of a session's rows. Each kind is numbered without gaps. */
export type Counters = Pick<SessionRow, 'next_event' | 'next_message' | 'next_inbox' | 'next_outbox'>

export type Counter = keyof Counters

export const counterNames = ['next_event', 'next_message', 'next_inbox', 'next_outbox'] as const

/** How many numbers of each kind the first statement takes, so that none has to be taken at the end. */
export type Expected = Partial<Counters>

export const plus = (eb: ExpressionBuilder<Tables, 'sessions'>, values: Counters) => ({
  next_event: eb('next_event', '+', values.next_event),
  next_message: eb('next_message', '+', values.next_message),
  next_inbox: eb('next_inbox', '+', values.next_inbox),
  next_outbox: eb('next_outbox', '+', values.next_outbox),
})

export const counts = ({ next_event = 0, next_message = 0, next_inbox = 0, next_outbox = 0 }: Expected = {}) => ({
  next_event,
  next_message,
  next_inbox,
  next_outbox,
})

/** What is read of a session's row along with its counters. */
export const heldNames = [...counterNames, 'updated_at'] as const

type Held = Counters & Pick<SessionRow, 'updated_at'>

/**
 * A session's time is updated at most this often by its own activity, ms, because it is in an index that a turn would
 * write several times. A new message updates it at once.
 */
export const updateLagMs = 60_000

/** What a transaction keeps in memory until its end: the counters of its sessions, and its events. */
export class Ledger {
  readonly #db: Transaction<Tables>
  readonly #now: number
  readonly #counters = new Map<SessionId, { stored: Counters; next: Counters }>()
  /** Sessions whose time hasn't been updated for a while. */
  readonly #quiet = new Set<SessionId>()
  readonly #events: EventRow[] = []
  readonly #last: (() => Promise<void>)[] = []
  /** By session, the texts of the history that need not be stored again; undefined where each row has its own. */
  readonly #said: Map<SessionId, Said[]> | undefined

  constructor(db: Transaction<Tables>, now: number, { sharesTexts }: { sharesTexts: boolean }) {
    this.#db = db
    this.#now = now
    this.#said = sharesTexts ? new Map() : undefined
  }

  /** Takes `count` numbers and returns the first. */
  async take(session: SessionId, counter: Counter, count = 1): Promise<number> {
    const { next } = this.#counters.get(session) ?? (await this.#read(session))
    const first = next[counter]
    next[counter] += count
    return first
  }

  /** The number that would be taken next. */
  async next(session: SessionId, counter: Counter): Promise<number> {
    const { next } = this.#counters.get(session) ?? (await this.#read(session))
    return next[counter]
  }

  /** Reads the session's counters and takes the expected numbers. */
  async hold(session: SessionId, expected: Expected): Promise<void> {
    if (!this.#counters.has(session)) await this.#read(session, expected)
  }

  /** The session's row contains `stored`; `expected` still has to be taken from it. */
  know(session: SessionId, stored: Held, expected: Expected = {}): { next: Counters } {
    const known = this.#counters.get(session)
    const next = known?.next ?? { ...stored }
    if (known === undefined) for (const name of counterNames) next[name] -= expected[name] ?? 0
    this.#counters.set(session, { stored, next })
    if (this.#now - stored.updated_at >= updateLagMs) this.#quiet.add(session)
    return { next }
  }

  /** Whether every reader knows rows that leave out what other rows have. */
  get sharesTexts(): boolean {
    return this.#said !== undefined
  }

  get events(): readonly EventRow[] {
    return this.#events
  }

  addEvents(rows: EventRow[]): void {
    this.#events.push(...rows)
  }

  /** A message of the history with this text is stored, and what repeats it may refer to it. */
  say(session: SessionId, said: Said): void {
    if (isWorthwhile(said)) this.#said?.set(session, [...(this.#said.get(session) ?? []), said])
  }

  /** The number of the message that has this text; null if it has to be stored. */
  saidAs(session: SessionId, text: string): number | null {
    return this.#said?.get(session)?.findLast((said) => said.text === text)?.seq ?? null
  }

  /** For rows that all sessions share: whoever writes one keeps the others waiting until the transaction ends. */
  atEnd(write: () => Promise<void>): void {
    this.#last.push(write)
  }

  /** Runs at the end of the transaction. */
  async write(): Promise<void> {
    for (const [id, { stored, next }] of this.#counters) {
      if (counterNames.some((name) => stored[name] !== next[name])) await writeCounters(this.#db, { id, ...next })
    }
    for (const id of this.#quiet) await tellUpdated(this.#db, { id, now: this.#now })
    if (this.#events.length > 0)
      await insertEvents(
        this.#db,
        this.#events.map((row) => this.#stored(row)),
      )
    for (const write of this.#last) await write()
  }

  #stored(row: EventRow): EventRow {
    return this.#said === undefined ? row : withoutSaid(row, this.#said.get(row.session_id) ?? [])
  }

  /** An update instead of a select, so that databases with row locks hold the row until the transaction ends. */
  async #read(session: SessionId, expected?: Expected): Promise<{ next: Counters }> {
    const [row] = await holdCounters(this.#db, { id: session, ...counts(expected) })
    if (row === undefined) throw new Error(`there is no session ${session}`)
    return this.know(session, row, expected)
  }
}

const holdCounters = prepared((db, values: { id: SessionId } & Counters) =>
  db
    .updateTable('sessions')
    .set((eb) => plus(eb, values))
    .where('id', '=', values.id)
    .returning(heldNames),
)

const tellUpdated = prepared((db, { id, now }: { id: SessionId; now: number }) =>
  db.updateTable('sessions').set({ updated_at: now }).where('id', '=', id),
)

const writeCounters = prepared((db, values: { id: SessionId } & Counters) =>
  db
    .updateTable('sessions')
    .set({
      next_event: values.next_event,
      next_message: values.next_message,
      next_inbox: values.next_inbox,
      next_outbox: values.next_outbox,
    })
    .where('id', '=', values.id),
)

const insertEvents = preparedRows('events', ['session_id', 'id', 'type', 'data', 'key', 'created_at', 'said'])
