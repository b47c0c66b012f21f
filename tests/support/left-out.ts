import { existsSync } from 'node:fs'
import { systemPackages } from '../../scripts/system-packages.ts'
import { Failure } from '../../src/kit/failure.ts'
import { openSandbox } from '../../src/kit/sandbox/sandbox.ts'
import { noSandboxVariable } from './sandbox.ts'

/** Why there is no sandbox, and how to get one. */
let noSandbox: string | undefined

/** Vitest's global setup: asks once for a sandbox; hundreds of tests would say one by one that there is none. */
export async function setup(): Promise<void> {
  const why = await openSandbox()
    .facts()
    .then(() => undefined, told)
  if (why === undefined) return
  if (process.env.BOBBIN_VERIFY !== undefined) throw new Error(`The tests need a sandbox. ${why}`)
  noSandbox = why
  process.env[noSandboxVariable] = 'yes'
}

/** A machine that only had no time or room for a trial may have one. */
const told = (thrown: unknown): string | undefined =>
  thrown instanceof Failure && thrown.code === 'no_sandbox' ? `${thrown.message} ${thrown.remedy}` : undefined

/** Says at the end what was skipped, or is red, because of the machine. */
export function teardown(): void {
  for (const { name, program, for: purpose } of systemPackages) {
    const installed = `The Debian package ${name} is missing; npm run verify installs it.`
    const why = name === 'bubblewrap' ? noSandbox : existsSync(program) ? undefined : installed
    const what = purpose === undefined ? 'What uses it is red' : `Left out: ${purpose}`
    if (why !== undefined) process.stdout.write(`\n${what}. ${why}\n`)
  }
}
