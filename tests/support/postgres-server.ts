import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { prepareBoss } from '../../src/engine/open-boss.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { Store } from '../../src/store/store.ts'
import { careful, doorVariable, postgresPrograms } from './postgres.ts'
import { PostgresCluster } from './postgres-cluster.ts'
import { scratchDisk } from './scratch-disk.ts'

let door: Server | undefined
let cluster: PostgresCluster | undefined
let started: Promise<string> | undefined

/** Each database lives for one test: nothing is worth being tidied up, or being written twice for a crash of the machine. */
const settings = { autovacuum: 'off', full_page_writes: 'off', wal_level: 'minimal', max_wal_senders: '0' }

/** Vitest's global setup: tests that need PostgreSQL find it behind a door, and the first that knocks starts it. */
export async function setup(): Promise<void> {
  if (postgresPrograms === undefined) return
  const directory = mkdtempSync(join(scratchDisk(), 'bobbin-pg-'))
  directories.push(directory)
  const server = new PostgresCluster(directory, settings)
  door = createServer(async (_, answer) => {
    try {
      cluster = server
      started ??= start(server)
      answer.end(await started)
    } catch (thrown) {
      answer.writeHead(500).end(String(thrown))
    }
  })
  const path = join(directory, 'door')
  await new Promise<void>((resolve) => door?.listen(path, resolve))
  process.env[doorVariable] = path
}

const directories: string[] = []

export async function teardown(): Promise<void> {
  door?.close()
  await cluster?.end()
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
}

/** The address of the server; its database `template` has the schema. */
async function start(server: PostgresCluster): Promise<string> {
  await server.make()
  await server.start()
  await server.run('postgres', 'create database template')
  await server.run('postgres', `create role ${careful.user} login password '${careful.password}'`)
  const store = await Store.open(server.url('template'), systemClock)
  if (store.server !== undefined) await prepareBoss(store.server)
  await store.close()
  return server.url('postgres')
}
