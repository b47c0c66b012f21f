import { randomUUID } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Failure } from '../failure.ts'
import { runInBubblewrap } from './bubblewrap.ts'
import { openGroup } from './cgroup.ts'
import { watcherOfDisk } from './disk.ts'
import { lookAround, type Machine, systemPlaces } from './facts.ts'
import { environmentOf, insideForwarder, insideNode, insideProxySocket, optionsOf } from './options.ts'
import { namesInside, prepare } from './paths.ts'
import { insideWorkspace, type Sandbox, type SandboxResult, type SandboxRun } from './port.ts'
import { openProxy, type ProxyOptions } from './proxy/proxy.ts'
import { openTurns } from './turns.ts'
import { openWatcher } from './watch.ts'

export interface SandboxOptions {
  /** Name or path of bubblewrap. A name is looked for where systems put their programs, not in the search path. */
  bwrap?: string
  /** Further folders with programs that commands may read, such as /nix/store. Absolute. */
  programFolders?: string[]
  /** How granted hosts are resolved and dialled, and how much may be transferred. */
  proxy?: ProxyOptions
}

const forwarder = fileURLToPath(new URL('./proxy/forward.ts', import.meta.url))
/** On the sandbox's own loopback. */
const proxyPort = 3128
/** What the forwarder needs in the sandbox besides the command. */
const forwarderNeeds = { processes: 16, memoryBytes: 128 * 1024 * 1024 }

export function openSandbox(options: SandboxOptions = {}): Sandbox {
  const turns = openTurns()
  const watch = openWatcher()
  let found: Promise<Machine> | undefined
  const machine = async (): Promise<Machine> => {
    found ??= lookAround(options.bwrap ?? 'bwrap', systemPlaces, options.programFolders ?? [])
    try {
      return await found
    } catch (thrown) {
      // If somebody installs it meanwhile, no restart is needed.
      found = undefined
      throw thrown
    }
  }

  const run = async (wanted: SandboxRun): Promise<SandboxResult> => {
    checkRun(wanted)
    const { program, system, groups } = await machine()
    await using things = new AsyncDisposableStack()
    const leave = await turns(resolve(wanted.workspace), wanted.pinned.length > 0, wanted.signal).catch(() => undefined)
    if (leave === undefined) return stopped
    things.defer(leave)
    const prepared = await prepare(wanted.workspace, wanted.pinned, wanted.writable)
    things.defer(prepared.close)
    await checkDirectory(wanted)
    const watchDisk = await watcherOfDisk(wanted.workspace, { stays: wanted.talk !== undefined })
    const traffic = { ...options.proxy, ...(wanted.talk && { maxBytes: Number.POSITIVE_INFINITY }) }
    const proxy = wanted.hosts.length === 0 ? undefined : await openProxy(wanted.hosts, traffic)
    if (proxy !== undefined) things.defer(() => proxy.close())
    const limits = proxy === undefined ? wanted.limits : withForwarder(wanted.limits)
    const group = groups === undefined ? undefined : openGroup(groups, `run-${randomUUID()}`, limits)
    if (group !== undefined) things.defer(group.remove)
    const placed = {
      system,
      workspace: wanted.workspace,
      directory: namesInside(wanted.directory).join('/'),
      mounts: prepared.mounts,
      pinned: new Map(wanted.pinned.map(({ path, bytes }) => [namesInside(path).join('/'), bytes])),
      modules: wanted.modules ?? [],
      environment: environmentOf(wanted, proxy && `http://127.0.0.1:${proxyPort}`),
      temporaryBytes: wanted.limits.temporaryBytes,
      packages: wanted.packages,
      libraries: wanted.libraries,
      proxy: proxy && { socket: proxy.socket, forwarder },
    }
    const ready = {
      program,
      watch,
      watchDisk,
      group,
      check: prepared.check,
      ...optionsOf(placed),
      argv: proxy === undefined ? wanted.argv : [...startForwarder, ...wanted.argv],
    }
    const result = await runInBubblewrap(ready, { ...wanted, limits })
    return { ...result, refusedHosts: proxy?.refused() ?? [] }
  }
  return { run, facts: async () => (await machine()).facts }
}

const startForwarder = [
  ...[insideNode, '--disable-warning=ExperimentalWarning', insideForwarder, insideProxySocket, String(proxyPort)],
]

const withForwarder = (limits: SandboxRun['limits']): SandboxRun['limits'] => ({
  ...limits,
  processes: limits.processes + forwarderNeeds.processes,
  memoryBytes: limits.memoryBytes + forwarderNeeds.memoryBytes,
})

const stopped: SandboxResult = {
  by: 'stop',
  exitCode: undefined,
  endedBy: undefined,
  stdout: '',
  stderr: '',
  durationMs: 0,
  refusedHosts: [],
}

/** A zero byte would end an option and begin another. */
function checkRun(run: SandboxRun): void {
  const refuse = (message: string, remedy: string): never => {
    throw new Failure('bad_command', message, remedy)
  }
  const texts = [...run.argv, run.workspace, ...Object.values(run.environment)]
  if (texts.some((text) => text.includes('\0'))) refuse('The command contains a zero byte.', 'Leave it out.')
  if (run.argv.length === 0 || run.argv[0] === '') refuse('There is no command.', 'Name a program.')
  if (!isAbsolute(run.workspace)) refuse('The workspace has no absolute path.', 'Give the whole path.')
  const name = Object.keys(run.environment).find((one) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(one))
  if (name !== undefined) refuse(`“${name}” isn’t a valid variable name.`, 'Use letters, digits and underscores.')
  const module = (run.modules ?? []).find((one) => !/^[A-Za-z_]\w*\.py$/.test(one.name))
  if (module !== undefined)
    refuse(`“${module.name}” isn’t a valid module name.`, 'Use letters, digits and underscores.')
  // These would inject code into the program that sets the limits.
  const linker = Object.keys(run.environment).find((one) => one.startsWith('LD_'))
  if (linker !== undefined) refuse(`${linker} cannot be set from outside.`, 'Set it in the command itself.')
}

/** A link may lead anywhere: the command sees nothing but the sandbox. This only checks early that it is a folder. */
async function checkDirectory({ workspace, directory }: SandboxRun): Promise<void> {
  const found = await lstat(join(workspace, ...namesInside(directory))).catch(() => undefined)
  if (found?.isDirectory()) return
  throw new Failure(
    'no_directory',
    `There is no folder ${directory} in the workspace.`,
    `Name a folder below ${insideWorkspace}, or make it first.`,
  )
}
