import { existsSync } from 'node:fs'
import { systemPackages } from '../../scripts/system-packages.ts'
import { Failure } from '../../src/kit/failure.ts'
import { openSandbox } from '../../src/kit/sandbox/sandbox.ts'
import { noSandboxVariable } from './sandbox.ts'

/** Why there is no sandbox, and how to get one. */
let noSandbox: string | undefined

/** Vitest's global setup: asks once for a sandbox; hundreds of tests would say one by one that there is none. */
export async function setup(): Promise<void> {
  noSandbox = await openSandbox()
    .facts()
    .then(() => undefined, told)
  if (noSandbox === undefined) return
  if (process.env.BOBBIN_VERIFY !== undefined) throw new Error(`The tests need a sandbox. ${noSandbox}`)
  process.env[noSandboxVariable] = 'yes'
}

/** A machine that only had no time or room for a trial may have one. */
const told = (thrown: unknown): string | undefined =>
  thrown instanceof Failure && thrown.code === 'no_sandbox' ? `${thrown.message} ${thrown.remedy}` : undefined

/** Lists at the end what was skipped. */
export function teardown(): void {
  for (const { name, program, for: purpose } of systemPackages) {
    const installed = `It needs the Debian package ${name}; npm run verify installs it.`
    const why = existsSync(program) ? undefined : installed
    const left = name === 'bubblewrap' ? noSandbox : why
    if (left !== undefined) process.stdout.write(`\nLeft out: ${purpose}. ${left}\n`)
  }
}
