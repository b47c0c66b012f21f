import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { systemClock } from '../../src/kit/clock.ts'
import { Store } from '../../src/store/store.ts'
import { careful, doorVariable, postgresPrograms } from './postgres.ts'
import { scratchDisk } from './scratch-disk.ts'

/** PostgreSQL refuses to run as root. */
const nobody = 65_534
const isRoot = process.getuid?.() === 0
const asUser = (died: string[] = []) =>
  isRoot ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', ...died] : []

/** A test that is cut off in the middle of it loses nothing that matters: the server lives as long as the run. */
const settings = {
  fsync: 'off',
  max_connections: '300',
  shared_buffers: '64MB',
  listen_addresses: '',
}

let door: Server | undefined
let server: { child: ChildProcess; directory: string } | undefined
let started: Promise<string> | undefined

/** Vitest's global setup: tests that need PostgreSQL find it behind a door, and the first that knocks starts it. */
export async function setup(): Promise<void> {
  if (postgresPrograms === undefined) return
  const directory = mkdtempSync(join(scratchDisk(), 'bobbin-pg-'))
  if (isRoot) chownSync(directory, nobody, nobody)
  door = createServer(async (_, answer) => {
    try {
      started ??= start(directory)
      answer.end(await started)
    } catch (thrown) {
      answer.writeHead(500).end(String(thrown))
    }
  })
  const path = join(directory, 'door')
  await new Promise<void>((resolve) => door?.listen(path, resolve))
  process.env[doorVariable] = path
  server = undefined
  directories.push(directory)
}

const directories: string[] = []

export async function teardown(): Promise<void> {
  door?.close()
  const child = server?.child
  if (child !== undefined && child.exitCode === null) {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGINT')
    await ended
  }
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
}

/** The address of the server; its database `template` has the schema. */
async function start(directory: string): Promise<string> {
  const data = join(directory, 'data')
  const run = (program: string) => join(postgresPrograms ?? '', program)
  // A locale that sorts like people do shows whether a query relies on the order of bytes.
  const locale = ['--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en-US']
  const [command = '', ...words] = [...asUser(), run('initdb'), '-D', data, '-U', 'bobbin', '-A', 'trust', '-E', 'UTF8']
  mkdirSync(directory, { recursive: true })
  execFileSync(command, [...words, ...locale, '--no-sync'], { stdio: 'pipe', cwd: '/' })
  const rules = join(data, 'pg_hba.conf')
  writeFileSync(rules, `local all ${careful.user} scram-sha-256\n${readFileSync(rules, 'utf8')}`)
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // Should this process be killed, the server goes with it.
  const [postgres = '', ...how] = [...asUser(['--pdeathsig=INT']), run('postgres'), '-D', data, '-k', directory]
  const child = spawn(postgres, [...how, ...options], { stdio: 'ignore', cwd: '/' })
  server = { child, directory }
  const url = (database: string) => `postgres:///${database}?host=${directory}&user=bobbin`
  await untilReady(url('postgres'), child)
  await inDatabase(url('postgres'), 'create database template')
  await inDatabase(url('postgres'), `create role ${careful.user} login password '${careful.password}'`)
  await (await Store.open(url('template'), systemClock)).close()
  return url('postgres')
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}`)
    try {
      return await inDatabase(url, 'select 1')
    } catch {
      await sleep(50)
    }
  }
}

async function inDatabase(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
