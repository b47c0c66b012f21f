import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { reasonOf } from '../failure.ts'
import { asUnavailable } from '../unavailable.ts'
import type { SandboxLimits } from './port.ts'
import { type Exceeded, lookEveryMs, orLater } from './watch.ts'

/** The name of the bot's own control group that shows that the one above it was delegated to the bot. */
export const ownGroup = 'bobbin'

/** The limits of one command, enforced by the kernel. */
export interface Group {
  /** Moves a process into it, with everything that it starts from then on. */
  add(processId: number): void
  watch(over: (by: Exceeded) => void): () => void
  /** Which limit was reached, as far as the kernel counted it. */
  exceeded(): Exceeded | undefined
  /** Resolves when all its processes are gone. */
  remove(): void
}

/**
 * The folder of the control group in which the bot may make groups: the one above its own, if its own is called
 * `bobbin` (systemd: Delegate=memory pids, DelegateSubgroup=bobbin). Being able to write isn't enough: root can write
 * to all of them, and other groups aren't ours to change. Undefined if there is none; then `why` says so.
 */
export function delegatedGroup(
  place: { root: string; self: string } = { root: '/sys/fs/cgroup', self: '/proc/self/cgroup' },
): { folder: string } | { why: string } {
  try {
    const own = readFileSync(place.self, 'utf8')
      .split('\n')
      .find((line) => line.startsWith('0::'))
      ?.slice(3)
    if (own === undefined || !own.endsWith(`/${ownGroup}`)) return { why: 'no control group was delegated to the bot' }
    const folder = join(place.root, dirname(own))
    const there = words(join(folder, 'cgroup.controllers'))
    const missing = ['memory', 'pids'].filter((name) => !there.includes(name))
    if (missing.length > 0) return { why: `the control group of the bot lacks ${missing.join(' and ')}` }
    const control = join(folder, 'cgroup.subtree_control')
    if (!['memory', 'pids'].every((name) => words(control).includes(name))) writeFileSync(control, '+memory +pids')
    const trial = join(folder, `trial-${process.pid}`)
    mkdirSync(trial)
    const isWhole = existsSync(join(trial, 'memory.max')) && existsSync(join(trial, 'pids.max'))
    rmdirSync(trial)
    return isWhole ? { folder } : { why: 'control groups of the bot get no limits' }
  } catch (thrown) {
    // It says nothing about the machine.
    if (asUnavailable(thrown)?.code === 'too_many_files') throw thrown
    return { why: `the control group of the bot cannot be used (${reasonOf(thrown)})` }
  }
}

/** Makes the group of one command. No other group has the same `name` at the same time. */
export function openGroup(
  parent: string,
  name: string,
  limits: Pick<SandboxLimits, 'memoryBytes' | 'processes'>,
): Group {
  const folder = join(parent, name)
  mkdirSync(folder)
  const write = (file: string, text: string): void => writeFileSync(join(folder, file), text)
  try {
    write('memory.max', String(limits.memoryBytes))
    // The first process of a PID namespace, which the command doesn't know about, counts here.
    write('pids.max', String(limits.processes + 1))
    if (existsSync(join(folder, 'memory.swap.max'))) write('memory.swap.max', '0')
    if (existsSync(join(folder, 'memory.oom.group'))) write('memory.oom.group', '1')
  } catch (thrown) {
    rmdirSync(folder)
    throw thrown
  }
  const exceeded = (): Exceeded | undefined => {
    if (count(join(folder, 'memory.events'), 'oom_kill') > 0) return 'memory'
    return count(join(folder, 'pids.events'), 'max') > 0 ? 'processes' : undefined
  }
  return {
    add: (processId) => write('cgroup.procs', String(processId)),
    exceeded,
    watch: (over) => {
      const look = (): void => {
        const by = exceeded()
        if (by === undefined) return
        clearInterval(timer)
        over(by)
      }
      const timer = setInterval(orLater(look), lookEveryMs)
      return () => clearInterval(timer)
    },
    remove: () => rmdirSync(folder),
  }
}

const words = (file: string): string[] => readFileSync(file, 'utf8').trim().split(/\s+/)

const count = (file: string, event: string): number =>
  Number(
    readFileSync(file, 'utf8')
      .split('\n')
      .find((line) => line.startsWith(`${event} `))
      ?.slice(event.length + 1) ?? 0,
  )
