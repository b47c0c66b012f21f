import pg from 'pg'
import { postgresPrograms } from '../../tests/support/postgres.ts'
import { PostgresCluster } from '../../tests/support/postgres-cluster.ts'

export interface Server {
  /** Creates an empty database. */
  database(name: string): Promise<string>
  run<Row extends object>(url: string, statement: string): Promise<Row[]>
  stop(): Promise<void>
}

/** A PostgreSQL of this run's own that stores as safely as people's: SQLite beside it does too. */
export async function startServer(directory: string): Promise<Server> {
  if (postgresPrograms === undefined) throw new Error('PostgreSQL is missing: apt-get install postgresql')
  const cluster = new PostgresCluster(directory, { fsync: 'on', shared_buffers: '512MB' })
  cluster.make()
  await cluster.start()
  return {
    async database(name) {
      await cluster.run('postgres', `create database ${name}`)
      return cluster.url(name)
    },
    run,
    stop: () => cluster.end(),
  }
}

async function run<Row extends object>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}
