import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { systemPackages } from './system-packages.ts'

/** A step that takes this long hangs, on whatever machine; its last output shows where. Each test has a limit of its own. */
const timeoutMs = 180 * 60_000

type Step = [program: string, args: string[]]

/** One after the other. */
const steps: Step[] = [
  ['biome', ['check', '.']],
  ['tsc', ['--noEmit']],
  ['vitest', ['run']],
]
/** Takes a minute of one core, beside the others. */
const fuzzer: Step = ['node', ['tests/shell/fuzz/run.ts', '--seconds', '60', '--seed', '7']]

/** Everything that CI runs. Missing system packages are installed first, or named if that isn't possible. */
async function verify(): Promise<number> {
  const missing = systemPackages.filter(({ program }) => !existsSync(program)).map(({ name }) => name)
  if (missing.length > 0 && !install(missing)) return 1
  const fuzzing = start(fuzzer)
  for (const step of steps) {
    process.stdout.write(`\n> ${step.flat().join(' ')}\n`)
    const status = await start(step).ended
    if (status === 0) continue
    fuzzing.stop()
    return failed(step, status)
  }
  process.stdout.write(`\n> ${fuzzer.flat().join(' ')}\n`)
  const status = await fuzzing.ended
  if (status !== 0) return failed(fuzzer, status)
  process.stdout.write('\nEverything holds.\n')
  return 0
}

/** What it found stands above. */
function failed([program, args]: Step, status: number | null): number {
  const what = status === null ? `did not end within ${timeoutMs / 60_000} minutes` : 'found something; see above'
  process.stderr.write(`${program} ${args[0]} ${what}.\n`)
  return status ?? 1
}

/** `ended` has its exit code, or null if it was stopped. */
function start([program, args]: Step): { ended: Promise<number | null>; stop: () => void } {
  const env = { ...process.env, BOBBIN_VERIFY: '1' }
  const child = spawn(program, args, { stdio: 'inherit', env, timeout: timeoutMs })
  // Vitest ends itself when it is told to stop, with a status of its own.
  const ended = once(child, 'exit').then(([status]: (number | null)[]) => (child.killed ? null : (status ?? null)))
  return { ended, stop: () => void child.kill() }
}

function install(packages: string[]): boolean {
  const command = `apt-get install -y --no-install-recommends ${packages.join(' ')}`
  const isDebian = existsSync('/etc/debian_version') && existsSync('/usr/bin/apt-get')
  if (!isDebian || process.getuid?.() !== 0) {
    process.stderr.write(`The tests need system packages that are missing. Install them with:\n\n  sudo ${command}\n\n`)
    return false
  }
  process.stdout.write(`Installing the system packages that the tests need: ${packages.join(', ')}\n`)
  const options = {
    stdio: ['ignore', 'ignore', 'inherit'] as ('ignore' | 'inherit')[],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }
  execFileSync('apt-get', ['update', '-q'], options)
  execFileSync('apt-get', command.split(' ').slice(1), options)
  return true
}

process.exitCode = await verify()
