import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { systemPackages } from './system-packages.ts'

/** A step that takes this long hangs; its last output shows where. */
const timeoutMs = 40 * 60_000

/** Everything that CI runs. Missing system packages are installed first, or named if that isn't possible. */
function verify(): number {
  const missing = systemPackages.filter(({ program }) => !existsSync(program)).map(({ name }) => name)
  if (missing.length > 0 && !install(missing)) return 1
  const steps: [string, string[]][] = [
    ['biome', ['check', '.']],
    ['tsc', ['--noEmit']],
    ['vitest', ['run']],
  ]
  for (const [program, args] of steps) {
    process.stdout.write(`\n> ${program} ${args.join(' ')}\n`)
    const env = { ...process.env, BOBBIN_VERIFY: '1' }
    const { status } = spawnSync(program, args, { stdio: 'inherit', env, timeout: timeoutMs })
    if (status !== 0) {
      const what = status === null ? `did not end within ${timeoutMs / 60_000} minutes` : 'found something; see above'
      process.stderr.write(`${program} ${what}.\n`)
      return status ?? 1
    }
  }
  process.stdout.write('\nEverything holds.\n')
  return 0
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

process.exitCode = verify()
