import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { main } from '../../src/cli/main.ts'
import { patienceMs } from '../support/until.ts'

const run = promisify(execFile)

export interface Ended {
  code: number
  out: string
  err: string
}

/** What a command prints that runs in this process. */
export async function printedBy(run: () => Promise<number>): Promise<Ended> {
  const { stdout, stderr } = process
  const writes = [stdout.write, stderr.write] as const
  const printed = { out: '', err: '' }
  const into = (name: 'out' | 'err') =>
    ((text: string | Uint8Array, ...rest: unknown[]) => {
      const said = Buffer.from(text).toString()
      // Node's warnings, each of which comes once, may be about anything else in this process.
      if (!/^\(node:\d+\) /.test(said)) printed[name] += said
      const written = rest.at(-1)
      if (typeof written === 'function') written()
      return true
    }) as typeof stdout.write
  stdout.write = into('out')
  stderr.write = into('err')
  try {
    const code = await run()
    return { code, ...printed }
  } finally {
    ;[stdout.write, stderr.write] = writes
  }
}

/** Whoever runs these tests may have a bot at port 3000, and a .env in the checkout. */
const usual = (PATH: string | undefined, dataDir: string) => ({
  PATH,
  BOBBIN_HOME: dataDir,
  BOBBIN_DATA_DIR: dataDir,
  BOBBIN_PORT: '0',
})

/** The command line in this process, which costs a tenth. Not for `start`, and not for what might end the process. */
export async function bobbinHere(dataDir: string, ...all: (string | Record<string, string>)[]): Promise<Ended> {
  const args = all.filter((one) => typeof one === 'string')
  const [environment] = all.filter((one) => typeof one !== 'string')
  const [before, listeners] = [process.env, process.stdout.listeners('error')]
  const heard = listening()
  process.env = { ...usual(before.PATH, dataDir), ...environment }
  try {
    const ended = await printedBy(() => main(args))
    // With eleven of them, Node warns in the middle of what a later command says, and they hear signals that are for others.
    if (listening() !== heard) throw new Error(`${args.join(' ')} has left listeners behind`)
    return ended
  } finally {
    process.env = before
    for (const one of process.stdout.listeners('error').filter((added) => !listeners.includes(added)))
      process.stdout.off('error', one as () => void)
  }
}

/** How many listen for what concerns the whole process. */
const listening = (): string =>
  [
    ...['SIGINT', 'SIGTERM', 'SIGHUP', 'unhandledRejection'].map((name) => process.listenerCount(name)),
    process.stderr.listenerCount('error'),
  ].join()

/** The command line, in a process of its own. */
export async function bobbin(dataDir: string, ...all: (string | Record<string, string>)[]): Promise<Ended> {
  const args = all.filter((one) => typeof one === 'string')
  const [environment] = all.filter((one) => typeof one !== 'string')
  const env = { ...usual(process.env.PATH, dataDir), ...environment }
  try {
    const { stdout, stderr } = await run(process.execPath, ['src/bin.js', ...args], {
      env,
      maxBuffer: 32_000_000,
      timeout: patienceMs,
      killSignal: 'SIGKILL',
    })
    return { code: 0, out: stdout, err: stderr }
  } catch (thrown) {
    const { code, stdout, stderr } = thrown as { code: number; stdout: string; stderr: string }
    return { code, out: stdout, err: stderr }
  }
}
