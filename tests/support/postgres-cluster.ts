import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { careful, majorOf, postgresPrograms } from './postgres.ts'
import { patienceMs } from './until.ts'

/** PostgreSQL refuses to run as root. */
const nobody = 65_534
const isRoot = process.getuid?.() === 0
const asUser = (died: string[] = []) =>
  isRoot ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', ...died] : []

/** What is lost in a power cut doesn't matter: the server lives as long as the run. */
const settings = {
  fsync: 'off',
  max_connections: '600',
  shared_buffers: '64MB',
  listen_addresses: '',
  // What statements did wrong, their tests say.
  log_min_messages: 'log',
}

/** A server in a folder of its own, which may be ended and started again. */
export class PostgresCluster {
  readonly #directory: string
  readonly #settings: Record<string, string>
  readonly #programs: string
  #child: ChildProcess | undefined

  constructor(directory: string, changed: Record<string, string> = {}, programs = postgresPrograms ?? '') {
    this.#directory = directory
    this.#settings = { ...settings, ...changed }
    this.#programs = programs
  }

  /** On a busy machine, more than the usual 10 s may pass before it answers whoever connects. */
  url(database: string): string {
    return `postgres:///${database}?host=${this.#directory}&user=bobbin&connect_timeout=120`
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Makes the folder, and lets the server's user in. */
  async make(): Promise<void> {
    mkdirSync(this.#directory, { recursive: true })
    if (isRoot) chownSync(this.#directory, nobody, nobody)
    // A locale that sorts like people do, since version 15, shows whether a query relies on the order of bytes.
    const locale = majorOf(this.#programs) >= 15 ? ['--locale-provider=icu', '--icu-locale=en-US'] : []
    const made = ['-D', this.#data, '-U', 'bobbin', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', ...locale]
    const [command = '', ...words] = [...asUser(), this.#program('initdb'), ...made, '--no-sync']
    await promisify(execFile)(command, words, { cwd: '/' })
    const rules = join(this.#data, 'pg_hba.conf')
    writeFileSync(rules, `local all ${careful.user} scram-sha-256\n${readFileSync(rules, 'utf8')}`)
  }

  /** Resolves when it answers. Throws with its last words if it ends, or isn't up in time. */
  async start(withinMs = patienceMs): Promise<void> {
    const options = Object.entries(this.#settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    // Should this process be killed, the server goes with it.
    const [postgres = '', ...how] = [...asUser(['--pdeathsig=INT']), this.#program('postgres'), '-D', this.#data]
    const log = openSync(this.#log, 'a')
    const child = spawn(postgres, [...how, '-k', this.#directory, ...options], {
      stdio: ['ignore', log, log],
      cwd: '/',
    })
    closeSync(log)
    this.#child = child
    for (const end = Date.now() + withinMs; ; ) {
      const ended = child.exitCode ?? child.signalCode
      if (ended !== null) throw new Error(`PostgreSQL ended with ${ended}. ${this.#lastWords}`)
      try {
        return await this.run('postgres', 'select 1')
      } catch (cause) {
        if (Date.now() >= end) throw new Error(`PostgreSQL doesn't come up: ${cause}. ${this.#lastWords}`, { cause })
      }
      await sleep(50)
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

  get #log(): string {
    return join(this.#directory, 'log')
  }

  get #lastWords(): string {
    return `Its last words:\n${readFileSync(this.#log, 'utf8').slice(-2_000)}`
  }

  #program = (name: string): string => join(this.#programs, name)
}
