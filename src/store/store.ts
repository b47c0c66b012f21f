import type { Kysely, LogEvent, Transaction } from 'kysely'
import type { SessionId } from '../domain/ids.ts'
import type { Clock } from '../kit/clock.ts'
import type { Unavailable } from '../kit/failure.ts'
import { Availability } from './availability.ts'
import type { Database, DatabaseServer, Keeper } from './database.ts'
import { LeaseLost } from './lease-lost.ts'
import { type Counters, counts, type Expected, heldNames, Ledger, plus } from './ledger.ts'
import { maskAll } from './mask-all.ts'
import { openDatabase } from './open-database.ts'
import type { OutboxAddition } from './outbox-entry.ts'
import { prepared } from './prepared.ts'
import type { EventRow, Tables } from './schema.ts'
import type { Shared, Wire } from './wire.ts'

/** Reads take either; writes take a `Tx`. */
export type Db = Kysely<Tables> | Transaction<Tables>

/**
 * One transaction. Its work awaits nothing but queries, and may run several times: it changes nothing but what is
 * stored.
 */
export interface Tx {
  db: Transaction<Tables>
  now: number
  /** Keeps numbers and events until the end of the transaction. */
  ledger: Ledger
  /** Tells the deliverer after the commit what is new in the outbox. */
  posts(what: OutboxAddition): void
  /** Tells the runner of jobs after the commit that one was started or ended. */
  jobs(): void
  /** Tells whoever remembers such things after the commit. */
  changed(what: Shared): void
  /** After the commit, the engine looks at the session; `interrupts`: what runs there ends first. */
  wakes(session: SessionId, how?: { interrupts: boolean }): void
  /** Masks every secret in a value's texts. Everything written for people, models and logs goes through it. */
  mask<Value>(value: Value): Value
  /** Nobody else is past this point with the same name until the transaction ends. */
  alone(name: string): Promise<void>
  /** Nobody else writes the session until the transaction ends: what is read of it from here on stays so. */
  hold(session: SessionId): Promise<void>
}

/** What is told after the commit. */
class Aftermath {
  events: readonly EventRow[] = []
  readonly posted: OutboxAddition[] = []
  readonly changed = new Set<Shared>()
  /** Whether what runs there is interrupted. */
  readonly woken = new Map<SessionId, boolean>()
  jobs = false
}

/** Hears the events that a commit stored, in order; undefined if another process stored some. */
type Watcher = (events: EventRow[] | undefined) => void

/** How many sessions fit into one message. */
const mostTold = 100

function tellOthers(wire: Wire, { events, posted, changed, jobs }: Aftermath): void {
  const sessions = [...new Set(events.map((event) => event.session_id))]
  for (let first = 0; first < sessions.length; first += mostTold)
    wire.tell('touched', sessions.slice(first, first + mostTold))
  if (posted.some(({ claimed }) => claimed === undefined)) wire.tell('outbox', null)
  for (const what of changed) wire.tell('changed', what)
  if (jobs) wire.tell('jobs', null)
}

/** The right to write a session's turn, until somebody else acquires it. */
export interface Lease {
  session: SessionId
  epoch: number
}

/**
 * The fence: false once somebody else has acquired the session. It is an update, so that databases with row locks hold
 * the row until the transaction ends. It also reads the counters and takes the expected numbers.
 */
export async function isHeld({ db, ledger }: Tx, { session, epoch }: Lease, expected?: Expected): Promise<boolean> {
  const [row] = await fence(db, { session, epoch, ...counts(expected) })
  if (row !== undefined) ledger.know(session, row, expected)
  return row !== undefined
}

const fence = prepared((db, values: { session: SessionId; epoch: number } & Counters) =>
  db
    .updateTable('sessions')
    .set((eb) => plus(eb, values))
    .where('id', '=', values.session)
    .where('epoch', '=', values.epoch)
    .returning(heldNames),
)

export interface StoreOptions {
  /** How long a write waits for another process. */
  patienceMs?: number | undefined
  /** After how long without an answer a server is asked whether it is still there; without it, never. */
  answerMs?: number | undefined
  /** Where others may ask the server whether it is connected. */
  holder?: string | undefined
  /** False to leave the schema as it is: another one than this version's is then refused. */
  migrates?: boolean | undefined
  /** Called before the tables of an older version change, on SQLite: what it throws leaves them as they are. */
  beforeMigrating?: ((db: Db) => Promise<void>) | undefined
  /** Called with every statement. */
  onStatement?: ((sql: string) => void) | undefined
}

export class Store {
  /** For reads: it sees what is committed, and waits for no transaction. */
  readonly db: Kysely<Tables>
  /** Undefined where a server looks after what is stored. */
  readonly keeper: Keeper | undefined
  /** To other processes; undefined where there is only one. */
  readonly wire: Wire | undefined
  /** The steps of the schema that were missing when it was opened. */
  readonly migrated: string[]
  /** What it stands on, if that is a server. */
  readonly server: DatabaseServer | undefined
  readonly #database: Database
  readonly #clock: Clock
  readonly #watchers = new Map<SessionId, Set<Watcher>>()
  #deliver: (posted: OutboxAddition[]) => void = () => {}
  #runJobs = () => {}
  readonly #rememberers = new Map<Shared, (() => void)[]>()
  #wake: (session: SessionId, interrupts: boolean) => void = () => {}
  #waits: (session: SessionId, fault: Unavailable) => void = () => {}
  /** Whether the store can be written, and who waits until it can. */
  readonly availability: Availability
  /** What is wrong with the stored data, once that is known. For the operator. */
  damage: string | undefined

  readonly #mask: (text: string) => string

  private constructor(database: Database, clock: Clock, mask: (text: string) => string) {
    this.db = database.reading
    this.keeper = database.keeper
    this.wire = database.wire
    this.server = database.server
    this.migrated = database.migrated
    this.#database = database
    this.#clock = clock
    this.availability = new Availability(clock)
    this.#mask = mask
  }

  /**
   * Opens a database, which is a file or a server, and brings its schema up to date. Throws `migration_failed`,
   * `schema_behind`, `database_busy`, Unavailable.
   */
  static async open(
    place: string,
    clock: Clock,
    mask = (text: string) => text,
    { onStatement, ...options }: StoreOptions = {},
  ): Promise<Store> {
    const log = onStatement && ((event: LogEvent) => onStatement(event.query.sql))
    return new Store(await openDatabase(place, { ...options, log }), clock, mask)
  }

  /** Masks every secret in a value's texts. */
  mask<Value>(value: Value): Value {
    return maskAll(value, this.#mask)
  }

  /**
   * Resolves when the work is stored. Work that waits at the same time is committed together: work that throws undoes
   * only itself, and if the commit fails, all of it throws. Throws Unavailable when the disk is full or the like.
   * What nobody waits for isn't urgent: it may wait some ms for other work.
   */
  async transaction<T>(work: (tx: Tx) => Promise<T>, { isUrgent = true } = {}): Promise<T> {
    const now = this.#clock.now()
    let done = new Aftermath()
    const job = async (db: Transaction<Tables>) => {
      // It may run several times, and only the last time counts.
      done = new Aftermath()
      const ledger = new Ledger(db, now, { sharesTexts: this.server === undefined })
      const result = await work(this.#tx(db, now, ledger, done))
      await ledger.write()
      done.events = ledger.events
      return result
    }
    const result = await this.availability.watch(() => this.#database.transaction(job, isUrgent))
    for (const [session, events] of Map.groupBy(done.events, (event) => event.session_id))
      this.#tellWatchers(session, events)
    for (const what of done.changed) this.#forget(what)
    if (done.posted.length > 0) this.#deliver(done.posted)
    if (done.jobs) this.#runJobs()
    for (const [session, interrupts] of done.woken) this.#wake(session, interrupts)
    if (this.wire !== undefined) tellOthers(this.wire, done)
    return result
  }

  #tellWatchers(session: SessionId, events?: EventRow[]): void {
    for (const watcher of this.#watchers.get(session) ?? []) watcher(events)
  }

  #forget(what: Shared): void {
    for (const forget of this.#rememberers.get(what) ?? []) forget()
  }

  /** From here on, what other processes store is told here as well. */
  listenToOthers(): void {
    this.wire?.hear('touched', (sessions) => {
      for (const session of sessions) this.#tellWatchers(session)
    })
    this.wire?.hear('outbox', () => this.#deliver([{ session: undefined }]))
    this.wire?.hear('changed', (what) => this.#forget(what))
    this.wire?.hear('jobs', () => this.#runJobs())
  }

  #tx(db: Transaction<Tables>, now: number, ledger: Ledger, after: Aftermath): Tx {
    return {
      db,
      now,
      ledger,
      posts: (what) => void after.posted.push(what),
      jobs() {
        after.jobs = true
      },
      changed: (what) => void after.changed.add(what),
      wakes: (session, { interrupts } = { interrupts: false }) =>
        void after.woken.set(session, interrupts || after.woken.get(session) === true),
      mask: (value) => maskAll(value, this.#mask),
      alone: (name) => this.#database.alone(db, name),
      hold: (session) => this.#database.hold(db, session),
    }
  }

  /** A transaction of a session that waits while the disk is full or the like. Its work may run several times. */
  patiently<T>(session: SessionId, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.availability.patiently(
      () => this.transaction(work),
      (fault) => this.#waits(session, fault),
    )
  }

  /** A read of a session that waits in the same way. */
  readPatiently<T>(session: SessionId, read: (db: Db) => Promise<T>): Promise<T> {
    return this.availability.patiently(
      () => read(this.db),
      (fault) => this.#waits(session, fault),
    )
  }

  /**
   * A transaction of a turn. Throws LeaseLost and writes nothing once somebody else has acquired the session. It waits
   * while the disk is full, so that the result of a call isn't lost. `expected`: how many numbers it will probably
   * take.
   */
  fenced<T>(lease: Lease, work: (tx: Tx) => Promise<T>, expected?: Expected): Promise<T> {
    return this.patiently(lease.session, async (tx) => {
      if (!(await isHeld(tx, lease, expected))) throw new LeaseLost(lease.session)
      return work(tx)
    })
  }

  /** Calls `tell` after each commit that stored events of the session. Returns how to stop. */
  watch(session: SessionId, tell: Watcher): () => void {
    const watchers = this.#watchers.get(session) ?? new Set()
    this.#watchers.set(session, watchers.add(tell))
    return () => {
      watchers.delete(tell)
      if (watchers.size === 0) this.#watchers.delete(session)
    }
  }

  /** Calls `deliver` after each commit in this process that added to the outbox. */
  whenPosting(deliver: (posted: OutboxAddition[]) => void): void {
    this.#deliver = deliver
  }

  /** Calls `run` after each commit in this process that started or ended a job. */
  whenJobs(run: () => void): void {
    this.#runJobs = run
  }

  /** Calls `forget` after each commit that changed it, and when another process says so, which may be lost. */
  whenChanged(what: Shared, forget: () => void): void {
    this.#rememberers.set(what, [...(this.#rememberers.get(what) ?? []), forget])
  }

  /** Calls `wake` after each commit in this process that left another session something to do. */
  whenWoken(wake: (session: SessionId, interrupts: boolean) => void): void {
    this.#wake = wake
  }

  /** Calls `tell` after each failed try while a session waits until it can write. */
  whenWaiting(tell: (session: SessionId, fault: Unavailable) => void): void {
    this.#waits = tell
  }

  /** Resolves when everything that was begun is stored. */
  async close(): Promise<void> {
    await this.#database.close()
  }
}
