import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { Client } from './client.ts'
import { type ModelScript, type ModelServer, startModelServer } from './model-server.ts'

const bin = join(import.meta.dirname, '../../src/bin.js')

export interface ProcessOptions {
  script?: ModelScript
  /** Changes to the shipped bobbin.yaml. */
  settings?: object
  /** Changes to the shipped hitl_rules.yaml. */
  rules?: object
  /** Other files of the configuration. */
  files?: Record<string, string>
  /** A plug-in's source and options. */
  plugin?: string
  /** Environment variables besides the model's, such as a platform's tokens. */
  environment?: Record<string, string>
  /** Puts the data directory on a disk of its own of this many bytes. */
  diskBytes?: number
  /** A command to start the program through, such as a shell that sets limits. */
  through?: string[]
}

/** One life of the program. */
export interface Life {
  chat: Client
  pid: number
  /** Its output so far, including the log. */
  said(): string
  /** Its exit code, or the signal that ended it. */
  ended: Promise<number | string>
  signal(name: NodeJS.Signals): void
  /** From now on, nobody reads its output. */
  deafen(): void
}

/** A place to start the program repeatedly, the way people do: `bobbin start`. */
export interface Place {
  dataDir: string
  model: ModelServer
  /** The path of this run's data directory as seen from outside. */
  dataOf(life: Life): string
  /** Resolves when it is ready; rejects with its output if it ends before. One that was replaced meanwhile is started again. */
  start(): Promise<Life>
  /**
   * Starts it, and until the test ends again whenever another process has replaced it, as a service manager would: on a
   * busy machine, a process may be silent for longer than a test allows.
   */
  keep(): Promise<Life>
  /** Starts it without waiting for it to be ready; `through` replaces the usual command. */
  launch(through?: string[]): Life & { ready: Promise<void> }
}

export async function openPlace(options: ProcessOptions = {}): Promise<Place> {
  const directory = await mkdtemp(join(tmpdir(), 'bobbin-process-'))
  const dataDir = await dataDirFor(directory, options.environment?.DATABASE_URL)
  const configDir = await mkdtemp(join(directory, 'config-'))
  const model = await startModelServer(options.script ?? [])
  const plugins = options.plugin === undefined ? [] : [{ path: join(configDir, 'plugin.ts') }]
  if (options.plugin !== undefined) await writeFile(join(configDir, 'plugin.ts'), options.plugin)
  await writeFile(join(configDir, 'bobbin.yaml'), JSON.stringify({ ...unhurried, ...options.settings, plugins }))
  const silent = { first_output_timeout_ms: 600_000, idle_timeout_ms: 600_000 }
  const patience = { attempts: 3, base_delay_ms: 20, max_delay_ms: 200, ...silent }
  await writeFile(join(configDir, 'models.yaml'), JSON.stringify({ patience }))
  await writeFile(join(configDir, 'hitl_rules.yaml'), JSON.stringify(options.rules ?? { approvals: false }))
  for (const [name, text] of Object.entries(options.files ?? {})) await writeFile(join(configDir, name), text)
  const lives: Life[] = []

  onTestFinished(async () => {
    for (const life of lives) life.signal('SIGKILL')
    await Promise.all(lives.map(({ ended }) => ended))
    await model.close()
    await rm(directory, { recursive: true, force: true, maxRetries: 3 })
  })

  function launch(through = options.through ?? []): Life & { ready: Promise<void> } {
    const own = [process.execPath, bin, 'start']
    const disk = options.diskBytes === undefined ? [] : diskOf(dataDir, options.diskBytes)
    const [program = '', ...args] = [...disk, ...through, ...own]
    const child = spawn(program, args, {
      cwd: directory,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        BOBBIN_PORT: '0',
        BOBBIN_HOME: directory,
        BOBBIN_DATA_DIR: dataDir,
        BOBBIN_CONFIG_DIR: configDir,
        BOBBIN_LOG_LEVEL: 'info',
        MODEL_BASE_API_KEY: 'test-key-of-nobody',
        MODEL_BASE_BASE_URL: model.url,
        MODEL_BASE_ID: 'scripted',
        ...options.environment,
      },
    })
    let said = ''
    const life: Life = {
      chat: new Client(''),
      pid: child.pid ?? 0,
      said: () => said,
      ended: once(child, 'close').then(([code, signal]) => code ?? signal),
      signal: (name) => void (child.exitCode ?? child.signalCode ?? process.kill(life.pid, name)),
      deafen() {
        for (const stream of [child.stdout, child.stderr]) stream?.destroy()
      },
    }
    lives.push(life)
    const ready = Promise.withResolvers<void>()
    ready.promise.catch(() => {})
    const hear = (stream: Readable, each: (line: string) => void) =>
      createInterface({ input: stream }).on('line', (line) => {
        said += `${line}\n`
        each(line)
      })
    hear(child.stderr as Readable, () => {})
    hear(child.stdout as Readable, (line) => {
      const [, url] = /^Bobbin is ready: (\S+)/.exec(line) ?? []
      if (url === undefined) return
      life.chat.url = url
      ready.resolve()
    })
    // Bubblewrap reports the program's process id.
    if (disk.length > 0) {
      hearWhole(child.stdio[3] as Readable, (info) => {
        life.pid = (JSON.parse(info) as { 'child-pid': number })['child-pid']
      })
    }
    life.ended.then((how) => ready.reject(new Error(`it ended (${how}): ${said}`)))
    return Object.assign(life, { ready: ready.promise })
  }

  async function start(): Promise<Life> {
    for (;;) {
      const life = launch()
      try {
        await life.ready
        return life
      } catch (thrown) {
        if (!wasReplaced(life)) throw thrown
      }
    }
  }

  return {
    dataDir,
    model,
    launch,
    dataOf: ({ pid }) => (options.diskBytes === undefined ? dataDir : `/proc/${pid}/root${dataDir}`),
    start,
    async keep() {
      let isOver = false
      onTestFinished(() => {
        isOver = true
      })
      const again = async () => {
        const life = await start()
        void life.ended.then(() => {
          if (!isOver && wasReplaced(life)) again().catch(() => {})
        })
        return life
      }
      return again()
    },
  }
}

const timeout_ms = 600_000
/** Programs and readers are bounded by the time of day, and a busy machine takes as long as it takes. */
const unhurried = {
  tools: { timeout_ms },
  documents: { parse_ms: timeout_ms, search_wait_ms: timeout_ms },
  sandbox: { timeout_ms, script_timeout_ms: timeout_ms, closed: { timeout_ms } },
}

const wasReplaced = (life: Life): boolean => life.said().includes('Another Bobbin has taken over.')

/** Those on one database share their disk. Whoever makes it has it removed, once all others have ended. */
async function dataDirFor(directory: string, database: string | undefined): Promise<string> {
  if (database === undefined) return mkdtemp(join(directory, 'data-'))
  const shared = join(tmpdir(), `bobbin-data-${createHash('sha256').update(database).digest('hex').slice(0, 16)}`)
  const isMade = (await mkdir(shared, { recursive: true })) !== undefined
  if (isMade) onTestFinished(() => rm(shared, { recursive: true, force: true, maxRetries: 3 }))
  return shared
}

const diskOf = (dataDir: string, bytes: number): string[] => [
  'bwrap',
  '--dev-bind',
  '/',
  '/',
  '--size',
  `${bytes}`,
  '--tmpfs',
  dataDir,
  '--die-with-parent',
  '--info-fd',
  '3',
]

function hearWhole(stream: Readable, tell: (text: string) => void): void {
  let text = ''
  stream.on('data', (piece) => {
    text += piece
    if (text.trimEnd().endsWith('}')) tell(text)
  })
}
