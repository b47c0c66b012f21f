import { setTimeout as sleep } from 'node:timers/promises'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import pg from 'pg'
import { Failure, Unavailable } from '../../kit/failure.ts'
import { storeWords } from '../words.ts'
import { apart, clientOf } from './client.ts'
import { faultOf, isCut } from './faults.ts'

export interface Server {
  pool: pg.Pool
  /**
   * How long a write waits for another one, and how long another one waits for a process that is frozen in the middle
   * of one.
   */
  patienceMs: number
}

/** How long the server may stay away after a commit whose outcome is unknown, ms. */
const outcomeMs = 60_000
const lookAgainMs = 100

/** How long one waits for a free connection, ms: on a busy machine that can take long although the server is fine. */
const queueMs = 120_000

/**
 * `connectionTimeoutMillis` bounds how long it takes to connect to the server, not how long one waits for a free
 * connection.
 */
export function openPool(config: pg.PoolConfig, answerMs?: number): pg.Pool {
  const pool = new pg.Pool({ ...config, Client: clientOf(config, answerMs), connectionTimeoutMillis: queueMs })
  // Whoever uses such a connection is told, and whoever comes next gets another one.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  return pool
}

/** Connections of a pool. There is nothing in them that outlives a transaction, so PgBouncer may share them. */
export class PostgresDriver implements Driver {
  readonly #server: Server

  constructor(server: Server) {
    this.#server = server
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Connection> {
    return new Connection(await translated(() => this.#server.pool.connect()), this.#server)
  }

  beginTransaction = (connection: DatabaseConnection): Promise<void> => own(connection).begin()
  commitTransaction = (connection: DatabaseConnection): Promise<void> => own(connection).commit()
  rollbackTransaction = (connection: DatabaseConnection): Promise<void> => own(connection).rollback()
  releaseConnection = async (connection: DatabaseConnection): Promise<void> => own(connection).release()

  destroy(): Promise<void> {
    return this.#server.pool.end()
  }
}

function own(connection: DatabaseConnection): Connection {
  if (connection instanceof Connection) return connection
  throw new TypeError('this connection belongs to another driver')
}

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    throw faultOf(thrown)
  }
}

const changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

class Connection implements DatabaseConnection {
  readonly #client: pg.PoolClient
  readonly #server: Server
  /** What the server calls the transaction. */
  #transaction = ''
  #isBroken = false

  constructor(client: pg.PoolClient, server: Server) {
    this.#client = client
    this.#server = server
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { command, rowCount, rows } = await this.#ask(() => this.#client.query(sql, parameters.map(storable)))
    return { rows, ...(changing.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }) }
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('nothing is streamed')
  }

  /** One round trip. */
  async begin(): Promise<void> {
    const { patienceMs } = this.#server
    const settings = `set local lock_timeout = ${patienceMs}; set local idle_in_transaction_session_timeout = ${patienceMs}`
    const statements = `begin; ${settings}; select pg_current_xact_id()::text as id`
    try {
      const results = await translated(() => this.#client.query(statements))
      this.#transaction = [results].flat().at(-1)?.rows[0].id
    } catch (thrown) {
      // A server that may only be read has begun it, and nobody rolls back what this call didn't begin.
      this.#isBroken = true
      throw thrown
    }
  }

  /** A connection may break before the server's answer has arrived. Then the server is asked. */
  async commit(): Promise<void> {
    try {
      const { command } = await this.#ask(() => this.#client.query('commit'))
      if (command === 'ROLLBACK') throw new Error('the server has undone the transaction')
    } catch (fault) {
      if (isCut(fault) && (await wasCommitted(this.#transaction, this.#server))) return
      throw fault
    }
  }

  async rollback(): Promise<void> {
    if (this.#isBroken) return
    try {
      await this.#client.query('rollback')
    } catch {
      // The server undoes it when the connection ends.
      this.#isBroken = true
    }
  }

  /** Where no answer came, the next one would wait behind it. */
  async #ask<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await translated(work)
    } catch (fault) {
      this.#isBroken ||= isCut(fault)
      throw fault
    }
  }

  release(): void {
    this.#client.release(this.#isBroken)
  }
}

/** PostgreSQL's texts hold no NUL. */
const storable = (value: unknown): unknown => (typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value)

async function wasCommitted(transaction: string, { pool }: Server): Promise<boolean> {
  for (let until = Date.now() + outcomeMs; Date.now() < until; await sleep(lookAgainMs)) {
    const status = await statusOf(transaction, pool.options)
    if (status === 'committed' || status === 'aborted') return status === 'committed'
    // It may wait for a standby.
    if (status === 'in progress') until = Date.now() + outcomeMs
  }
  throw new Failure('outcome_unknown', storeWords.commitOutcomeUnknown(), storeWords.commitOutcomeRemedy())
}

/** Undefined while the server can't be asked. */
async function statusOf(transaction: string, pool: pg.PoolConfig): Promise<string | null | undefined> {
  try {
    return await apart(pool, async (client) => {
      const { rows } = await client.query('select pg_xact_status($1::xid8) as status', [transaction])
      return rows[0]?.status
    })
  } catch (fault) {
    if (fault instanceof Unavailable) return undefined
    throw fault
  }
}
