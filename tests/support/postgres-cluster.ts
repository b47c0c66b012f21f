import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { careful, postgresPrograms } from './postgres.ts'

/** PostgreSQL refuses to run as root. */
const nobody = 65_534
const isRoot = process.getuid?.() === 0
const asUser = (died: string[] = []) =>
  isRoot ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', ...died] : []

/** What is lost in a power cut doesn't matter: the server lives as long as the run. */
const settings = {
  fsync: 'off',
  max_connections: '300',
  shared_buffers: '64MB',
  listen_addresses: '',
}

/** A server in a folder of its own, which may be ended and started again. */
export class PostgresCluster {
  readonly #directory: string
  readonly #log: string | undefined
  readonly #settings: Record<string, string>
  #child: ChildProcess | undefined

  /** `log`: the file for what it says. */
  constructor(directory: string, log?: string, changed: Record<string, string> = {}) {
    this.#directory = directory
    this.#log = log
    this.#settings = { ...settings, ...changed }
  }

  url(database: string): string {
    return `postgres:///${database}?host=${this.#directory}&user=bobbin`
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Makes the folder, and lets the server's user in. */
  make(): void {
    mkdirSync(this.#directory, { recursive: true })
    if (isRoot) chownSync(this.#directory, nobody, nobody)
    // A locale that sorts like people do shows whether a query relies on the order of bytes.
    const locale = ['--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en-US']
    const made = ['-D', this.#data, '-U', 'bobbin', '-A', 'trust', '-E', 'UTF8', ...locale, '--no-sync']
    const [command = '', ...words] = [...asUser(), this.#program('initdb'), ...made]
    execFileSync(command, words, { stdio: 'pipe', cwd: '/' })
    const rules = join(this.#data, 'pg_hba.conf')
    writeFileSync(rules, `local all ${careful.user} scram-sha-256\n${readFileSync(rules, 'utf8')}`)
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    const options = Object.entries(this.#settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    // Should this process be killed, the server goes with it.
    const [postgres = '', ...how] = [...asUser(['--pdeathsig=INT']), this.#program('postgres'), '-D', this.#data]
    const log = this.#log === undefined ? 'ignore' : openSync(this.#log, 'a')
    const child = spawn(postgres, [...how, '-k', this.#directory, ...options], {
      stdio: ['ignore', log, log],
      cwd: '/',
    })
    this.#child = child
    for (;;) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}`)
      try {
        return await this.run('postgres', 'select 1')
      } catch {
        await sleep(50)
      }
    }
  }

  /** The next start is that of a standby, which may only be read, until it is promoted. */
  makeStandby(): void {
    writeFileSync(join(this.#data, 'standby.signal'), '')
    if (isRoot) chownSync(join(this.#data, 'standby.signal'), nobody, nobody)
  }

  /** `SIGINT` ends it in order, `SIGQUIT` as a crash does. Resolves when it has ended. */
  async end(signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  async run(database: string, statement: string): Promise<void> {
    const client = new pg.Client(this.url(database))
    client.on('error', () => {})
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  }

  get #data(): string {
    return join(this.#directory, 'data')
  }

  #program = (name: string): string => join(postgresPrograms ?? '', name)
}
