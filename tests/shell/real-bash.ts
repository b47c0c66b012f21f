import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stubs } from './grammar.ts'

export interface Ran {
  program: string
  args: string[]
}

// Real programs that run others. They leave no trace of their own.
const real = ['env', 'nice', 'timeout', 'nohup', 'stdbuf', 'setsid', 'xargs', 'find', 'bash', 'cat']

const stub = (log: string, after: string): string => `#!/bin/dash
printf '%s\\001' "\${0##*/}" "$@" > ${log}/$$
${after}
`

/** A directory in which bash finds nothing but stubs; each writes down its name and arguments. */
export function stubbedBash() {
  const root = mkdtempSync(join(tmpdir(), 'bobbin-shell-'))
  const [bin, log, work] = [join(root, 'bin'), join(root, 'log'), join(root, 'work')]
  mkdirSync(bin)
  for (const name of stubs) {
    const after = name === 'fails' ? 'exit 1' : name === 'alpha' ? 'echo gamma delta' : ''
    writeFileSync(join(bin, name), stub(log, after), { mode: 0o755 })
  }
  for (const name of real)
    symlinkSync(name === 'bash' || name === 'cat' ? `/bin/${name}` : `/usr/bin/${name}`, join(bin, name))
  const prelude = join(root, 'prelude')
  writeFileSync(
    prelude,
    `command_not_found_handle() { printf '%s\\001' "$@" > ${log}/missing.$BASHPID; return 127; }\n`,
  )

  const clean = (): void => {
    for (const directory of [log, work]) {
      rmSync(directory, { recursive: true, force: true })
      mkdirSync(directory)
    }
    for (const file of ['f1', 'f2', 'f3']) writeFileSync(join(work, file), '')
  }

  return {
    /** Whatever is not known to end is ended after two seconds. */
    async run(command: string, withinMs = 2_000): Promise<Ran[]> {
      clean()
      await finished(command, work, { PATH: bin, BASH_ENV: prelude, FUNCNEST: '6' }, withinMs)
      // A process that was ended while it wrote leaves an empty file.
      const logged = readdirSync(log).map((file) => readFileSync(join(log, file), 'utf8').split('\u0001').slice(0, -1))
      return logged
        .filter(({ length }) => length > 0)
        .map(([program = '', ...args]) => ({ program: program.slice(program.lastIndexOf('/') + 1), args }))
    },
    end: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** Runs it in a process group of its own, of which nothing is left afterwards. */
function finished(command: string, cwd: string, env: Record<string, string>, withinMs: number): Promise<void> {
  const child = spawn('/bin/bash', ['--norc', '--noprofile', '-c', command], {
    cwd,
    env,
    stdio: 'ignore',
    detached: true,
  })
  const kill = (): void => {
    try {
      if (child.pid) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // All of them ended by themselves.
    }
  }
  return new Promise((resolve) => {
    const timer = setTimeout(kill, withinMs)
    child.on('close', () => {
      clearTimeout(timer)
      kill()
      resolve()
    })
  })
}
