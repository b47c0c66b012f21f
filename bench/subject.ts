import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A server being measured, in a process of its own. */
export interface Subject {
  url: string
  pid: number
  /** From the start of the process to the first answer, ms. */
  readyMs: number
  /** Resident memory, MB. */
  memory(): number
  /** Processor time since the start, of all its threads, ms. The kernel counts in steps of 10. */
  cpuMs(): number
  stop(): Promise<void>
}

/** Starts a program that prints its address in a line with "ready", and asks it `path` once. */
export async function startSubject(
  args: string[],
  path: string,
  environment: Record<string, string> = {},
): Promise<Subject> {
  const started = performance.now()
  const child = spawn(process.execPath, args, {
    // The checkout may have a .env with somebody's own accounts.
    env: { ...process.env, BOBBIN_HOME: import.meta.dirname, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await addressOf(child)
  if (path !== '') await (await fetch(`${url}${path}`)).text()
  const pid = child.pid ?? Number.NaN
  return {
    url,
    pid,
    readyMs: performance.now() - started,
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
    cpuMs() {
      const [user, kernel] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13) ?? []
      return (Number(user) + Number(kernel)) * 10
    },
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGTERM')
        setTimeout(() => child.kill('SIGKILL'), 10_000).unref()
      }),
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = ''
    child.once('exit', () => reject(new Error('the process ended before it was ready')))
    child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
      printed += piece
      const address = /ready:? (http\S+)/.exec(printed)?.[1]
      if (address !== undefined) resolve(address)
    })
  })
}
