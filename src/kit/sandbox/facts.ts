import { accessSync, constants, existsSync, readFileSync, realpathSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { Failure } from '../failure.ts'
import { delegatedGroup, ownGroup } from './cgroup.ts'
import { insideNode, type System } from './options.ts'
import type { SandboxFacts } from './port.ts'
import { systemCallFilter } from './system-calls.ts'
import { call } from './trial.ts'
import { lookEveryMs } from './watch.ts'

/** What `openSandbox` found out about the machine. */
export interface Machine {
  facts: SandboxFacts
  program: string
  system: System
  /** Where control groups may be made. */
  groups: string | undefined
}

const install =
  'Install bubblewrap 0.8 or newer (Debian 12 or Ubuntu 24.04 and later: apt install bubblewrap; Fedora: dnf install bubblewrap; Alpine: apk add bubblewrap bash), then run bobbin doctor.'

/** Where systems usually put their programs. */
export const systemPlaces = '/usr/local/bin:/usr/bin:/bin'

/** Sandboxes and readers ask for the same, and trying it starts processes. */
const known = new Map<string, Promise<Machine>>()

/**
 * Looks for bubblewrap and tries it, once for everybody. Throws `no_sandbox` with how to get one, or `sandbox_failed`
 * if the machine had no time or room for a trial; then it may be asked again.
 */
export function lookAround(bwrap: string, searched: string, folders: string[]): Promise<Machine> {
  const asked = JSON.stringify([bwrap, searched, folders])
  const found = known.get(asked) ?? tryMachine(bwrap, searched, folders)
  known.set(asked, found)
  found.catch(() => known.delete(asked))
  return found
}

async function tryMachine(bwrap: string, searched: string, folders: string[]): Promise<Machine> {
  if (process.platform !== 'linux') {
    throw noSandbox(
      `The sandbox needs Linux, and this is ${process.platform}.`,
      'Run the bot on Linux or in a virtual machine with Linux. docs/security.md describes what macOS has; Bobbin does not use it.',
    )
  }
  const program = findProgram(bwrap, searched)
  if (program === undefined) throw noSandbox(`There is no ${bwrap} on this machine.`, install)
  if (!existsSync('/bin/bash')) throw noSandbox('There is no /bin/bash on this machine.', 'Install bash.')
  const version = versionOf((await call(program, ['--version'])).text)
  if (version === undefined) throw noSandbox(`${program} is too old, or isn’t bubblewrap.`, install)
  const canDisableNamespaces = await tryNamespaces(program)
  const system = { node: realpathSync(process.execPath), canDisableNamespaces, folders }
  const group = delegatedGroup()
  const groups = 'folder' in group ? group.folder : undefined
  const kept = groups === undefined ? 'watcher' : 'cgroup'
  const gaps = [...('why' in group ? watcherGaps(group.why) : []), ...gapsOf(canDisableNamespaces)]
  const facts: SandboxFacts = {
    kind: 'bubblewrap',
    version,
    memory: kept,
    processes: kept,
    programs: { bash: '/bin/bash', node: insideNode, python: python() },
    gaps,
  }
  return { facts, program, system, groups }
}

const noSandbox = (message: string, remedy: string): Failure => new Failure('no_sandbox', message, remedy)

/** A Python in a home directory isn't in the sandbox, whatever the bot's search path says. */
const python = (): string | undefined => ['/usr/bin/python3', '/usr/local/bin/python3'].find((path) => existsSync(path))

function findProgram(name: string, searched: string): string | undefined {
  const places = isAbsolute(name) ? [name] : searched.split(delimiter).map((folder) => join(folder, name))
  return places.find((place) => {
    try {
      accessSync(place, constants.X_OK)
      return isAbsolute(place)
    } catch {
      return false
    }
  })
}

function versionOf(text: string): string | undefined {
  const [, version, major, minor] = /^bubblewrap ((\d+)\.(\d+)[.\d]*)/.exec(text) ?? []
  if (version === undefined) return undefined
  return Number(major) > 0 || Number(minor) >= 8 ? version : undefined
}

/** Whether namespaces within the sandbox can be forbidden. Throws if there can be no sandbox at all. */
async function tryNamespaces(program: string): Promise<boolean> {
  const trial = (more: string[]) =>
    call(program, [
      ...['--unshare-all', '--unshare-user', ...more, '--uid', '1000', '--gid', '1000', '--cap-drop', 'ALL'],
      ...['--die-with-parent', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', '--', '/bin/bash', '-c', ':'],
    ])
  if ((await trial(['--disable-userns'])).ok) return true
  const plain = await trial([])
  if (plain.ok) return false
  // What follows are addresses of documents, some of them of this machine.
  const [reason = ''] = plain.text.trim().split(/\.? See <|\n/, 1)
  const fact = `bubblewrap is here, but can’t make a sandbox: ${reason.slice(0, 200)}.`
  throw noSandbox(fact, remedyFor(plain.text))
}

const dockerRemedy =
  'In a container, start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined, or run the bot outside of it.'

const restriction = 'kernel.apparmor_restrict_unprivileged_userns'

/** A container shares the kernel's settings with its host. */
function appArmorRestricts(): boolean {
  try {
    return readFileSync(`/proc/sys/${restriction.replace('.', '/')}`, 'utf8').trim() === '1'
  } catch {
    return false
  }
}

/** The reason for the kernel's refusal. Exported for its test. */
export function remedyFor(
  text: string,
  has: (path: string) => boolean = existsSync,
  restricts: () => boolean = appArmorRestricts,
): string {
  if (has('/.dockerenv') || has('/run/.containerenv')) {
    if (!/uid map/.test(text) || !restricts()) return dockerRemedy
    return `The host’s AppArmor forbids user namespaces to programs without a profile (Ubuntu 23.10 and later). On the host, put ${restriction}=0 into /etc/sysctl.d/60-bobbin.conf, and run sysctl --system.`
  }
  if (/uid map|setting up|loopback|RTM_NEWADDR|Permission denied/.test(text) && has('/sys/module/apparmor')) {
    return 'AppArmor forbids user namespaces to programs without a profile (Ubuntu 23.10 and later). Give bwrap one: apt install apparmor-profiles; ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/; apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict.'
  }
  if (/namespace|user\.max_user_namespaces|No space left/.test(text)) {
    return 'Allow user namespaces: sysctl user.max_user_namespaces=15000 (Debian before 11 also kernel.unprivileged_userns_clone=1).'
  }
  return dockerRemedy
}

const watcherGaps = (why: string): string[] => [
  `memory and processes are checked every ${lookEveryMs} ms, because ${why}: a burst between two checks is not stopped (systemd: Delegate=memory pids, DelegateSubgroup=${ownGroup})`,
  'memory that no process has mapped, such as the files in /tmp, does not count as memory',
]

const gapsOf = (canDisableNamespaces: boolean): string[] => [
  ...(systemCallFilter() === undefined
    ? [`system calls are not filtered on ${process.arch}: in a virtual machine a command may reach its host (vsock)`]
    : []),
  ...(canDisableNamespaces ? [] : ['a command can make namespaces of its own, a larger part of the kernel to attack']),
  ...(process.getuid?.() === 0
    ? [
        'the bot runs as root, so files that only root may read in /usr can be read, and the kernel doesn’t limit bursts of processes: run it as a user of its own',
      ]
    : []),
  'only each file has a fixed limit on the disk; the size of a workspace is checked again and again while a command runs, so between two checks it can exceed its limit',
  'CPU time has no limit besides the command’s time limit',
  'the kernel is shared: a fault in it is not contained',
  'within an encrypted connection to a granted host the proxy sees nothing: a granted host can pass data on to anybody',
]
