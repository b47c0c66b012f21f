import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { SandboxLimits, SandboxResult, SandboxRun } from '../../../src/kit/sandbox/port.ts'
import { openSandbox } from '../../../src/kit/sandbox/sandbox.ts'

export const sandbox = openSandbox()

const roomyLimits: SandboxLimits = {
  timeoutMs: 600_000,
  outputBytes: 1_000_000,
  fileBytes: 8 * 1024 * 1024,
  memoryBytes: 512 * 1024 * 1024,
  processes: 100,
  temporaryBytes: 4 * 1024 * 1024,
}

/** A folder that is removed after the test. */
export function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bobbin-sandbox-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export type Wanted = Partial<Omit<SandboxRun, 'limits'>> & { limits?: Partial<SandboxLimits> }

/** A whole run in a new workspace, but for what a test says. */
export const runOf = (argv: string[], wanted: Wanted = {}): SandboxRun => ({
  workspace: wanted.workspace ?? makeFolder(),
  pinned: [],
  directory: '',
  environment: {},
  hosts: [],
  output: () => {},
  signal: new AbortController().signal,
  ...wanted,
  argv,
  limits: { ...roomyLimits, ...wanted.limits },
})

export const bash = (script: string, wanted: Wanted = {}): Promise<SandboxResult> =>
  sandbox.run(runOf(['bash', '-c', script], wanted))

export const node = (script: string, wanted: Wanted = {}): Promise<SandboxResult> =>
  sandbox.run(runOf(['node', '-e', script], wanted))
