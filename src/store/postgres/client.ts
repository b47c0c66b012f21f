import pg from 'pg'
import { connectMsOf } from './connect-ms.ts'
import { faultOf, isCut } from './faults.ts'

const longestMs = 60_000

/** How often in a row a server may be unable to say whether it works on an answer. */
const mostUnsure = 10

/**
 * A connection that breaks when a server has vanished without a word. When an answer takes longer than `answerMs`, the
 * server is asked whether it still works on it: a statement may take any time.
 */
export function clientOf(config: pg.ClientConfig, answerMs: number | undefined): typeof pg.Client {
  return class extends pg.Client {
    #isWatched = false

    constructor(own?: pg.ClientConfig) {
      super({ ...own, connectionTimeoutMillis: config.connectionTimeoutMillis })
    }

    override query = ((...asked: Parameters<pg.Client['query']>) => {
      const answer: unknown = super.query(...asked)
      // A connection that has ended never says so again.
      if (answerMs !== undefined && !this.#isWatched && !this.connection.stream.destroyed) this.#watch(answerMs)
      return answer
    }) as pg.Client['query']

    #watch(everyMs: number): void {
      this.#isWatched = true
      let isDue = true
      let unsure = 0
      const looking = setInterval(async () => {
        const works = await isAtWork(this, config)
        unsure = works === undefined ? unsure + 1 : 0
        if (!isDue || works === true || (works === undefined && unsure < mostUnsure)) return
        stop()
        this.connection.stream.destroy(new Error('timeout expired'))
      }, everyMs).unref()
      const stop = () => {
        this.#isWatched = false
        isDue = false
        clearInterval(looking)
        this.off('drain', stop).off('end', stop)
      }
      this.on('drain', stop).on('end', stop)
    }
  }
}

/** On a connection of its own: all others may wait for the same answer. */
export async function apart<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const timeoutMs = Math.min(connectMsOf(config.connectionString), longestMs)
  const client = new pg.Client({ ...config, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs })
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } catch (thrown) {
    throw faultOf(thrown)
  } finally {
    // Nobody waits for the goodbye of a server that may have vanished.
    client.end().catch(() => {})
  }
}

/** Undefined if the server is there, but can't say. */
async function isAtWork(client: pg.Client, config: pg.ClientConfig): Promise<boolean | undefined> {
  try {
    return await apart(config, async (asking) => {
      const { rows } = await asking.query(
        `select pg_backend_pid() as own,
          exists (select from pg_stat_activity where pid = $1::int and state not like 'idle%') as works`,
        [processOf(client)],
      )
      // PgBouncer has numbers of its own.
      return rows[0]?.own === processOf(asking) ? rows[0]?.works === true : undefined
    })
  } catch (fault) {
    return isCut(fault) ? false : undefined
  }
}

/** The types leave it out. */
const processOf = (client: pg.Client): unknown => ('processID' in client ? client.processID : undefined)
