import { PassThrough } from 'node:stream'
import { Failure, reasonOf } from '../../../kit/failure.ts'
import type { Sandbox, SandboxLimits } from '../../../kit/sandbox/port.ts'
import { mcpWords } from '../words.ts'
import { endOfText, graceMs, isOverWithin, type ServerProcess } from './process.ts'

export interface Contained {
  command: string
  args: string[]
  /** The folder that it may write; it sees it as /workspace. */
  folder: string
  environment: Record<string, string>
  hosts: string[]
  limits: Pick<SandboxLimits, 'memoryBytes' | 'processes' | 'fileBytes' | 'temporaryBytes'>
}

/** A server stays for as long as it is used. */
const longestMs = 2_147_483_647

/** Starts a server in the sandbox, which ends with the bot. Throws `no_sandbox` if there is none. */
export async function containServer(sandbox: Sandbox, wanted: Contained): Promise<ServerProcess> {
  const { kind } = await sandbox.facts()
  if (kind === 'none') throw new Failure('no_sandbox', mcpWords.noSandbox(), mcpWords.noSandboxRemedy())
  const [input, output] = [new PassThrough(), new PassThrough()]
  const said = endOfText()
  const stopped = new AbortController()
  const run = sandbox.run({
    argv: [wanted.command, ...wanted.args],
    workspace: wanted.folder,
    pinned: [],
    directory: '',
    environment: wanted.environment,
    hosts: wanted.hosts,
    limits: { ...wanted.limits, timeoutMs: longestMs, outputBytes: 1 },
    talk: { input, output, errors: (text) => said.add(text) },
    output: () => {},
    signal: stopped.signal,
  })
  const ended = run.then(
    ({ by, exitCode, endedBy }) => {
      output.end()
      if (by === 'itself') return `it ended with ${endedBy ?? `code ${exitCode}`}`
      return `it was ended: ${by === 'disk' ? 'the disk is nearly full' : by}`
    },
    (thrown: unknown) => {
      output.end()
      return reasonOf(thrown)
    },
  )
  return {
    input,
    output,
    exited: ended,
    ended,
    said: said.text,
    async stop() {
      input.end()
      if (await isOverWithin(ended, graceMs.closed)) return
      stopped.abort()
      await ended
    },
  }
}
