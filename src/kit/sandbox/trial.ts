import { type ExecFileException, execFile } from 'node:child_process'
import { Failure } from '../failure.ts'
import { asUnavailable } from '../unavailable.ts'

const longestMs = 10_000

/** Runs a program to see what it says. Rejects if that says nothing about the program. */
export function call(program: string, args: string[]): Promise<{ ok: boolean; text: string }> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { env: {}, timeout: longestMs, maxBuffer: 65_536 }, (failure, stdout, stderr) => {
      if (asUnavailable(failure) !== undefined) reject(failure)
      else if (failure !== null && isBadMoment(failure, stderr)) reject(notTried(program, failure))
      else resolve({ ok: failure === null, text: `${stdout}${stderr}` || (failure?.message ?? '') })
    })
  })
}

/** SIGKILL also comes from the kernel when memory runs short, and bubblewrap reports that of its child as 128 + 9. */
const isBadMoment = ({ killed, signal, code }: ExecFileException, said: string): boolean =>
  killed === true ||
  signal === 'SIGKILL' ||
  code === 137 ||
  /^(EAGAIN|ENOMEM)$/.test(String(code)) ||
  /Resource temporarily unavailable|Cannot allocate memory/.test(said)

function notTried(program: string, cause: ExecFileException): Failure {
  const why = cause.killed ? `it took more than ${longestMs / 1000} s` : `it was ended (${cause.signal ?? cause.code})`
  return new Failure(
    'sandbox_failed',
    `The sandbox did not start: ${program} could not be tried, because ${why}.`,
    'Try again in a moment, when the machine has more memory and time to spare.',
    { cause },
  )
}
