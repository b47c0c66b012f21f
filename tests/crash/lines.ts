import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'

/** A process with line-based input and output. */
export interface LineProcess {
  child: ChildProcess
  write(line: string): void
  /** The next line of its output. */
  read(): Promise<string>
}

export function startLines(script: string, ...args: string[]): LineProcess {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout ?? Readable.from([]) })[Symbol.asyncIterator]()
  return {
    child,
    write: (line) => void child.stdin?.write(`${line}\n`),
    async read() {
      const { done, value } = await lines.next()
      if (done) throw new Error(`${script} has ended`)
      return value
    },
  }
}
