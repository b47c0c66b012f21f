import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { patienceMs } from '../support/until.ts'

/** Where a bot's code is, and its configuration. */
export interface Surroundings {
  /** The checkout, or a mutated copy of it. */
  root: string
  dataDir: string
  configDir: string
  modelUrl: string
  logFile: string
  /** Environment variables besides the model's, such as a platform's tokens. */
  environment?: Record<string, string>
}

/** One life of the bot. */
export interface BotProcess {
  pid: number
  /** Its address; rejects if it ends before it is ready, or isn't ready for minutes. */
  ready: Promise<string>
  /** Its exit code, or the signal that ended it. */
  ended: Promise<number | string>
  /** It said that another process has taken over. */
  wasReplaced: boolean
  /** Error lines of its log, by message. */
  complaints: string[]
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT' | 'SIGTERM'): void
}

export function spawnBot(surroundings: Surroundings): BotProcess {
  const { root, dataDir, configDir, modelUrl, logFile, environment } = surroundings
  const child = spawn(process.execPath, [join(root, 'src/bin.js'), 'start'], {
    cwd: dataDir,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      // A copy of the checkout would find code compiled for the checkout, or for another copy.
      NODE_COMPILE_CACHE_PORTABLE: '1',
      BOBBIN_PORT: '0',
      BOBBIN_HOME: dataDir,
      BOBBIN_DATA_DIR: dataDir,
      BOBBIN_CONFIG_DIR: configDir,
      BOBBIN_LOG_LEVEL: 'warn',
      MODEL_BASE_API_KEY: 'test-key',
      MODEL_BASE_BASE_URL: modelUrl,
      MODEL_BASE_ID: 'scripted',
      ...environment,
    },
  })
  const log = createWriteStream(logFile, { flags: 'a' })
  log.write(`--- process ${child.pid}\n`)
  let wasReplaced = false
  child.stderr.pipe(log, { end: false })
  child.stderr.on('data', (piece) => {
    wasReplaced ||= String(piece).includes('Another Bobbin has taken over.')
  })
  const complaints: string[] = []
  const ready = Promise.withResolvers<string>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    log.write(`${line}\n`)
    const [, url] = /^Bobbin is ready: (\S+)/.exec(line) ?? []
    if (url !== undefined) ready.resolve(url)
    if (line.startsWith('{"level":50')) complaints.push(complaintOf(line))
  })
  const patience = setTimeout(() => {
    ready.reject(new Error(`process ${child.pid} isn't ready after ${patienceMs} ms`))
  }, patienceMs).unref()
  const ended = exitOf(child)
  // Listen right away, because the close event may come first.
  const closed = once(child, 'close')
  void ended.then(async (how) => {
    clearTimeout(patience)
    log.write(`--- process ${child.pid} ended: ${how}\n`)
    ready.reject(new Error(`process ${child.pid} ended (${how}) before it was ready`))
    await closed
    log.end()
  })
  ready.promise.catch(() => {})
  return {
    pid: child.pid ?? 0,
    ready: ready.promise,
    ended,
    get wasReplaced() {
      return wasReplaced
    },
    complaints,
    signal: (name) => child.kill(name),
  }
}

async function exitOf(child: ChildProcess): Promise<number | string> {
  const [code, signal] = await once(child, 'exit')
  return code ?? signal
}

function complaintOf(line: string): string {
  const { msg, error } = JSON.parse(line) as { msg: string; error?: string }
  return `${msg}: ${error}`
}
