import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { PostgresCluster } from '../../support/postgres-cluster.ts'
import { patienceMs } from '../../support/until.ts'
import { realDisk } from '../real-disk.ts'
import type { Stored } from '../stored.ts'
import { type DatabaseProxy, startProxy } from './proxy.ts'

const name = 'bobbin'

/** A PostgreSQL of the campaign's own, which it may stop, kill and start again. */
export interface NodesDatabase {
  cluster: PostgresCluster
  proxy: DatabaseProxy
  /** The bot's way to it, through the proxy. */
  url: string
  stored: Stored
  /** Runs statements; tried again while the server is away. */
  run(statements: string): Promise<void>
  close(): Promise<void>
}

/** Numbers of 64 bits are numbers here as well. */
const types = {
  getTypeParser: (oid: number, format?: 'text') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig

export async function openNodesDatabase(): Promise<NodesDatabase> {
  const directory = await mkdtemp(join(realDisk, 'bobbin-crash-pg-'))
  const cluster = new PostgresCluster(directory)
  await cluster.make()
  await cluster.start()
  await cluster.run('postgres', `create database ${name}`)
  const proxy = await startProxy(directory)
  const url = cluster.url(name)
  const all = <Row>(statements: string) => insistently<Row>(url, statements)
  return {
    cluster,
    proxy,
    url: `${url}&port=${proxy.port}`,
    stored: { all, damage: async () => [] },
    run: async (statements) => void (await all(statements)),
    async close() {
      proxy.close()
      await cluster.end('SIGQUIT')
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function insistently<Row>(connectionString: string, statements: string): Promise<Row[]> {
  for (const until = Date.now() + patienceMs; ; await sleep(50)) {
    const client = new pg.Client({ connectionString, types, application_name: 'campaign' })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query(statements)).rows as Row[]
    } catch (thrown) {
      if (!isAway(thrown) || Date.now() > until) throw thrown
    } finally {
      await client.end().catch(() => {})
    }
  }
}

const isAway = (thrown: unknown): boolean =>
  /^(08...|57P0.|ECONN\w+|ENOENT|EPIPE|40P01)$/.test(String((thrown as { code?: unknown }).code)) ||
  /^(Connection terminated|Client has encountered)/.test((thrown as Error).message)
