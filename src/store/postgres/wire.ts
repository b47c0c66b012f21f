import { randomUUID } from 'node:crypto'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import type { Tables } from '../schema.ts'
import { Ears, type News, type Wire } from '../wire.ts'

const channel = 'bobbin'
const connectAgainMs = 1_000

/** PostgreSQL carries less than 8000 bytes at once. */
const mostBytes = 7_900

/** LISTEN and NOTIFY, after the commit, so that no transaction waits for them. Whatever doesn't fit isn't told. */
export class PostgresWire implements Wire {
  readonly #pool: pg.PoolConfig
  readonly #db: Kysely<Tables>
  readonly #me = randomUUID()
  readonly #ears = new Ears()
  readonly #closing = new AbortController()
  #waiting = new Set<string>()
  #telling: Promise<void> | undefined
  #listening: Promise<void> | undefined

  constructor(pool: pg.PoolConfig, db: Kysely<Tables>) {
    this.#pool = pool
    this.#db = db
  }

  tell<Kind extends keyof News>(kind: Kind, what: News[Kind]): void {
    const said = JSON.stringify([this.#me, kind, what])
    if (this.#closing.signal.aborted || Buffer.byteLength(said) > mostBytes) return
    this.#waiting.add(said)
    this.#telling ??= this.#tell().finally(() => {
      this.#telling = undefined
    })
  }

  hear<Kind extends keyof News>(kind: Kind, hear: (what: News[Kind]) => void): void {
    this.#ears.hear(kind, hear)
    this.#listening ??= this.#hearAll()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#telling
    await this.#listening
  }

  async #tell(): Promise<void> {
    // What is told soon after one another goes together, such as what was stored and whom to interrupt.
    await setImmediate()
    while (this.#waiting.size > 0) {
      const said = [...this.#waiting]
      this.#waiting = new Set()
      // What is told is stored nowhere, so nobody waits for the disk. Others look by themselves now and then.
      await sql`select set_config('synchronous_commit', 'off', true), pg_notify(${channel}, said)
        from unnest(${said}::text[]) as told(said)`
        .execute(this.#db)
        .catch(() => {})
    }
  }

  async #hearAll(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      await this.#hearUntilBroken(signal)
      await sleep(connectAgainMs, undefined, { signal }).catch(() => {})
    }
  }

  /** Until the connection breaks. */
  async #hearUntilBroken(signal: AbortSignal): Promise<void> {
    const client = new pg.Client(this.#pool)
    const broken = Promise.withResolvers<void>()
    const end = () => broken.resolve()
    client.on('error', end).on('end', end)
    client.on('notification', ({ payload }) => this.#heard(payload ?? ''))
    signal.addEventListener('abort', end)
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      await broken.promise
    } catch {
      // The next try may work.
    } finally {
      signal.removeEventListener('abort', end)
      // Nobody waits for the goodbye of a server that may have vanished.
      client.end().catch(() => {})
    }
  }

  #heard(payload: string): void {
    try {
      const [from, kind, what] = JSON.parse(payload)
      if (from !== this.#me) this.#ears.heard(kind, what)
    } catch {
      // Whoever may use the database may say anything on this channel.
    }
  }
}
