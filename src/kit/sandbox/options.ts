import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import { insideOf, type Mount } from './paths.ts'
import { insideHome, insideLibraries, insidePackages, insideWorkspace, type SandboxRun } from './port.ts'
import { systemCallFilter } from './system-calls.ts'

/** Where the sandbox finds Bobbin's own parts: Node, and the proxy's forwarder. */
export const insideNode = '/opt/bobbin/bin/node'
export const insideProxySocket = '/opt/bobbin/proxy.sock'
export const insideForwarder = '/opt/bobbin/forward.mts'

/** First on Python's path, and empty except for a file that puts importable modules behind everything else. */
const insidePython = '/opt/bobbin/python'
const insideModules = '/opt/bobbin/modules'
const modulesLast = `import sys\nsys.path.remove('${insidePython}')\nsys.path.append('${insideModules}')\n`

/** The descriptors that bubblewrap gets besides the usual three. Pinned files come after them. */
export const descriptors = { options: 3, status: 4, block: 5, go: 6, firstData: 7 }

const searchPath = '/opt/bobbin/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

const rootFolders = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']

/**
 * The parts of /etc that programs need and that contain no secrets. Private keys are beside the certificates, not among
 * them.
 */
const etc = [
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'alternatives',
  'ssl/certs',
  'ssl/openssl.cnf',
  'ca-certificates',
  'pki/ca-trust/extracted',
  'pki/tls/certs',
  'crypto-policies',
  'localtime',
  'timezone',
  'mime.types',
  'fonts',
  'os-release',
]

/** Made-up files: nothing in them is about this machine. */
const madeUp = new Map([
  [
    '/etc/passwd',
    `bobbin:x:1000:1000::${insideHome}:/bin/bash\nnobody:x:65534:65534::/nonexistent:/usr/sbin/nologin\n`,
  ],
  ['/etc/group', 'bobbin:x:1000:\nnogroup:x:65534:\n'],
  ['/etc/hosts', '127.0.0.1 localhost\n'],
  ['/etc/nsswitch.conf', 'passwd: files\ngroup: files\nhosts: files dns\n'],
])

/** What the machine has and the command may see. Looked up once. */
export interface System {
  /** This very Node. */
  node: string
  canDisableNamespaces: boolean
  /** Further folders with programs, read-only, such as /nix/store. */
  folders: string[]
}

export interface Placed {
  system: System
  workspace: string
  directory: string
  mounts: Mount[]
  pinned: Map<string, Uint8Array>
  modules: { name: string; bytes: Uint8Array }[]
  environment: Record<string, string>
  temporaryBytes: number
  packages: string | undefined
  libraries: string | undefined
  /** Sockets and files outside that belong to the proxy. */
  proxy: { socket: string; forwarder: string } | undefined
}

/**
 * The options for bubblewrap, to be passed through a descriptor: they contain the environment, and everybody on the
 * machine can see a program's arguments. `data` are the bytes for the descriptors from `firstData` on, in order.
 */
export function optionsOf(placed: Placed): { options: string[]; data: Uint8Array[] } {
  const data: Uint8Array[] = []
  const file = (path: string, bytes: Uint8Array): string[] => {
    data.push(bytes)
    return ['--ro-bind-data', String(descriptors.firstData + data.length - 1), path]
  }
  const filter = systemCallFilter()
  const options = [
    ...isolation(placed.system),
    ...systemView(placed.system),
    ...[...madeUp].flatMap(([path, text]) => file(path, Buffer.from(text))),
    ...privateFolders(placed.temporaryBytes),
    ...(placed.mounts.some(({ path }) => path === '') ? [] : ['--bind', placed.workspace, insideWorkspace]),
    ...placed.mounts.flatMap(({ kind, path }) => {
      const inside = insideOf(path)
      if (kind === 'pinned') return ['--perms', '0755', ...file(inside, placed.pinned.get(path) ?? new Uint8Array())]
      return [kind === 'readOnly' ? '--ro-bind' : '--bind', `${placed.workspace}/${path}`, inside]
    }),
    ...(placed.packages === undefined ? [] : ['--ro-bind', placed.packages, insidePackages]),
    ...(placed.libraries === undefined ? [] : ['--ro-bind', placed.libraries, insideLibraries]),
    ...placed.modules.flatMap(({ name, bytes }) => file(`${insideModules}/${name}`, bytes)),
    ...(placed.modules.length === 0 ? [] : file(`${insidePython}/sitecustomize.py`, Buffer.from(modulesLast))),
    ...(placed.proxy === undefined ? [] : ['--bind', placed.proxy.socket, insideProxySocket]),
    ...(placed.proxy === undefined ? [] : ['--ro-bind', placed.proxy.forwarder, insideForwarder]),
    // By now these contain nothing but mounts. If writable, they would be unlimited memory, and settings of the kernel.
    ...['--remount-ro', '/proc', '--remount-ro', '/dev', '--remount-ro', '/'],
    ...['--clearenv', ...Object.entries(placed.environment).flatMap(([name, value]) => ['--setenv', name, value])],
    ...['--chdir', placed.directory === '' ? insideWorkspace : `${insideWorkspace}/${placed.directory}`],
  ]
  if (filter !== undefined) {
    data.push(filter)
    options.push('--seccomp', String(descriptors.firstData + data.length - 1))
  }
  return { options, data }
}

export const isolation = (system: System): string[] => [
  ...['--unshare-all', '--unshare-user', ...(system.canDisableNamespaces ? ['--disable-userns'] : [])],
  ...['--uid', '1000', '--gid', '1000', '--hostname', 'sandbox', '--cap-drop', 'ALL'],
  ...['--die-with-parent', '--new-session'],
]

export function systemView(system: System): string[] {
  return [
    ...['--ro-bind', '/usr', '/usr'],
    ...rootFolders.flatMap((folder) => {
      if (!existsSync(folder)) return []
      return lstatSync(folder).isSymbolicLink()
        ? ['--symlink', readlinkSync(folder), folder]
        : ['--ro-bind', folder, folder]
    }),
    ...etc.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]),
    ...system.folders.flatMap((folder) => ['--ro-bind', folder, folder]),
    ...['--ro-bind', system.node, insideNode],
  ]
}

/** Shared memory and HOME are folders of their own, no larger than programs are used to. */
const privateFolders = (temporaryBytes: number): string[] => [
  ...['--proc', '/proc', '--dev', '/dev'],
  ...['--perms', '1777', '--size', String(temporaryBytes), '--tmpfs', '/tmp'],
  ...['--perms', '1777', '--size', String(Math.min(temporaryBytes, 64 * 1024 * 1024)), '--tmpfs', '/dev/shm'],
  ...['--perms', '0700', '--size', String(Math.min(temporaryBytes, 64 * 1024 * 1024)), '--tmpfs', insideHome],
]

/**
 * Keeps programs from reading code or settings that somebody left in the workspace: Python reads nothing beside a
 * script, no compiled files and no user folder; git only the repository's own settings, and no programs from there.
 */
const programSettings = {
  PYTHONSAFEPATH: '1',
  PYTHONNOUSERSITE: '1',
  PYTHONPYCACHEPREFIX: '/tmp/.python',
  ...gitSettings({
    'core.fsmonitor': 'false',
    'core.hooksPath': '/dev/null',
    'core.pager': 'cat',
    'core.editor': 'false',
    'core.sshCommand': 'false',
    'core.askPass': 'false',
    'credential.helper': '',
    'gpg.program': 'false',
    'gpg.ssh.program': 'false',
    'protocol.ext.allow': 'never',
    'sequence.editor': 'false',
  }),
}

function gitSettings(values: Record<string, string>): Record<string, string> {
  const all = Object.entries(values)
  return {
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
    GIT_CONFIG_COUNT: String(all.length),
    ...Object.fromEntries(
      all.flatMap(([key, value], place) => [
        [`GIT_CONFIG_KEY_${place}`, key],
        [`GIT_CONFIG_VALUE_${place}`, value],
      ]),
    ),
  }
}

/** What every command gets besides its own variables, which can't change these. */
export const environmentOf = (run: SandboxRun, proxyUrl: string | undefined): Record<string, string> => ({
  ...run.environment,
  PATH: searchPath,
  HOME: insideHome,
  ...programSettings,
  ...(run.packages === undefined ? {} : { NODE_PATH: insidePackages }),
  ...pythonPath(run),
  LANG: 'C.UTF-8',
  TMPDIR: '/tmp',
  ...(proxyUrl === undefined ? {} : proxyVariables(proxyUrl)),
})

function pythonPath({ modules = [], libraries }: SandboxRun): Record<string, string> {
  const folders = [...(modules.length > 0 ? [insidePython] : []), ...(libraries === undefined ? [] : [insideLibraries])]
  return folders.length === 0 ? {} : { PYTHONPATH: folders.join(':') }
}

const proxyVariables = (url: string): Record<string, string> => ({
  ...Object.fromEntries(
    ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [
      [name, url],
      [name.toLowerCase(), url],
    ]),
  ),
  NODE_USE_ENV_PROXY: '1',
})

/**
 * Runs first inside, in `bash -p`, which ignores settings from the environment. It reports that everything is set up,
 * then waits for the word to start: the bot's end must not look like permission to go on. It closes whatever the bot
 * itself inherited, and sets the limits that a process can't raise again. Arguments: kilobytes of a file, processes,
 * then the command.
 */
export const firstInside = `echo ready >&${descriptors.go}; read -r word <&${descriptors.go} && [[ $word == go ]] || exit 125
for open in /proc/self/fd/*; do open=\${open##*/}; (( open > 2 )) && eval "exec $open>&-"; done
ulimit -c 0; ulimit -n 1024 2>/dev/null; ulimit -f "$1"; ulimit -u "$2" 2>/dev/null; shift 2
exec -- "$@"`
