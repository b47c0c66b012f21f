import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { postgresPrograms } from '../../tests/support/postgres.ts'

/** PostgreSQL refuses to run as root. */
const nobody = 65_534
const asUser =
  process.getuid?.() === 0
    ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--pdeathsig=INT']
    : []

export interface Server {
  /** Creates an empty database. */
  database(name: string): Promise<string>
  run<Row extends object>(url: string, statement: string): Promise<Row[]>
  stop(): Promise<void>
}

/** A PostgreSQL of this run's own that stores as safely as people's: SQLite beside it does too. */
export async function startServer(directory: string): Promise<Server> {
  if (postgresPrograms === undefined) throw new Error('PostgreSQL is missing: apt-get install postgresql')
  await mkdir(directory)
  if (asUser.length > 0) await chown(directory, nobody, nobody)
  const data = join(directory, 'data')
  const command = (program: string, ...args: string[]): [string, string[]] => {
    const [first = '', ...rest] = [...asUser, join(postgresPrograms ?? '', program), '-D', data, ...args]
    return [first, rest]
  }
  const [initdb, made] = command('initdb', '-U', 'bobbin', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8')
  execFileSync(initdb, made, { stdio: 'pipe', cwd: '/' })
  const options = ['-k', directory, '-c', 'listen_addresses=', '-c', 'shared_buffers=512MB']
  const child = spawn(...command('postgres', ...options), { stdio: 'ignore', cwd: '/' })
  const url = (name: string) => `postgres:///${name}?host=${directory}&user=bobbin`
  await untilReady(url('postgres'), child)
  return {
    async database(name) {
      await run(url('postgres'), `create database ${name}`)
      return url(name)
    },
    run,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGINT')
      await ended
    },
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

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}`)
    try {
      await run(url, 'select 1')
      return
    } catch {
      await sleep(50)
    }
  }
}
