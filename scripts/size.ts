// Packs Bobbin, installs it in an empty folder without development packages, and says how large that is, with Node.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const mostMb = 350
const top = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'bobbin-size-'))
const run = (program: string, args: string[], cwd = folder): string =>
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()

try {
  const packed = run('npm', ['pack', '--silent', '--pack-destination', folder], top)
  const name = packed.split('\n').at(-1) ?? ''
  // npm 12 runs only the install scripts that are allowed, and older ones may fail with the option (docs/running.md).
  const isOld = Number(run('npm', ['--version']).split('.')[0]) < 12
  const allowed = isOld ? [] : [`--allow-scripts=node,${join(folder, name)}`]
  const options = ['--global', '--prefix', folder, '--omit=dev', ...allowed, '--prefer-offline', '--no-audit']
  run('npm', ['install', ...options, `./${name}`])
  const megabytes = Number(run('du', ['-sk', 'lib']).split('\t')[0]) / 1024
  const says = run('bin/bobbin', ['--version'])
  const brought = run('find', ['lib', '-path', '*/bin/node', '-size', '+1M'])
  // Without one of its own, it runs on the Node that is here.
  const node = brought === '' ? statSync(realpathSync(process.execPath)).size / 1024 ** 2 : 0
  const total = Math.round(megabytes + node)
  const parts =
    brought === '' ? `${Math.round(megabytes)} MB of packages and ${Math.round(node)} MB of Node` : 'with its own Node'
  process.stdout.write(`${says}: ${total} MB (${parts}); at most ${mostMb} MB\n`)
  process.exitCode = total > mostMb ? 1 : 0
} finally {
  rmSync(folder, { recursive: true, force: true })
}
