import { existsSync } from 'node:fs'
import { systemPackages } from '../../scripts/system-packages.ts'

/** Vitest's global setup: lists at the end what was skipped because a system package is missing. */
export function teardown(): void {
  for (const { name, program, for: purpose } of systemPackages) {
    if (existsSync(program)) continue
    process.stdout.write(`\nLeft out: ${purpose}. It needs the Debian package ${name}; npm run verify installs it.\n`)
  }
}
