import type { Readable, Writable } from 'node:stream'

/** What one command may use. Sizes are in bytes, times in milliseconds. */
export interface SandboxLimits {
  timeoutMs: number
  /** For stdout and stderr together; anything beyond it is dropped and the command is ended. */
  outputBytes: number
  /** Largest file that it may write. 0: it can write to none, /tmp included. */
  fileBytes: number
  /** For all its processes together. */
  memoryBytes: number
  /** Processes and threads that exist at the same time. */
  processes: number
  /** The size of the private /tmp. */
  temporaryBytes: number
}

/** A command in a sandbox. */
export interface SandboxRun {
  /** Program and arguments, as the sandbox sees them. */
  argv: string[]
  /** Absolute path outside. The command sees it at `insideWorkspace`. */
  workspace: string
  /**
   * Folders of the workspace in which the command may write; the rest is read-only. Absent: it may write everywhere.
   */
  writable?: string[]
  /** Files of the workspace that appear with exactly these bytes, read-only, whatever is there by now. */
  pinned: { path: string; bytes: Uint8Array }[]
  /** What Python may import besides the system's modules, but never in their place: `helper.py`. */
  modules?: { name: string; bytes: Uint8Array }[]
  /** A folder `node_modules` outside, absolute. Its packages can be imported, and not changed. */
  packages?: string
  /** The same for Python: a folder of modules. */
  libraries?: string
  /** Relative to the workspace; '' is the workspace. */
  directory: string
  /** The whole environment besides PATH, HOME, LANG, TMPDIR and the proxy's. */
  environment: Record<string, string>
  /** Names or `*.name` that it may reach, through the filtering proxy only. Empty: no network at all. */
  hosts: string[]
  limits: SandboxLimits
  /**
   * A program that stays and is talked to. `output` gets what it writes to stdout, as much as there is; nothing of it
   * is kept, and `limits.outputBytes` doesn't count.
   */
  talk?: { input: Readable; output: Writable; errors(text: string): void }
  /** Text as it comes, never more than `outputBytes` in all. Must not throw. */
  output(stream: 'stdout' | 'stderr', text: string): void
  signal: AbortSignal
}

/** Where the command finds its workspace. */
export const insideWorkspace = '/workspace'

/** Where Node looks for packages last, wherever a script lies. */
export const insidePackages = '/node_modules'
/** Where Python looks for packages besides its own. */
export const insideLibraries = '/packages'

/** Its HOME: empty at the start, so that nobody can leave settings for a program there, and deleted at the end. */
export const insideHome = '/home/bobbin'

/** What ended a command. `by`: itself, a limit, or the signal. */
export interface SandboxResult {
  by: 'itself' | 'timeout' | 'output' | 'memory' | 'processes' | 'disk' | 'stop'
  /**
   * Undefined if a signal ended it. A shell that exits with 128 plus a signal's number counts as ended by that signal.
   */
  exitCode: number | undefined
  /** Such as SIGSEGV. */
  endedBy: string | undefined
  stdout: string
  stderr: string
  durationMs: number
  /** Hosts that it tried to reach and wasn't allowed to, each with the reason. */
  refusedHosts: { host: string; why: string }[]
}

/** Which limits apply here, and what enforces them: for doctor and the start. Sentences without the full stop. */
export interface SandboxFacts {
  /** `none`: the operator wants commands to run without one. */
  kind: 'bubblewrap' | 'none'
  version: string
  memory: 'cgroup' | 'watcher' | 'nothing'
  processes: 'cgroup' | 'watcher' | 'nothing'
  /** Where a command finds them, by full path inside. Python is the system's; one in a home directory isn't inside. */
  programs: { bash: string; node: string; python: string | undefined }
  /** What this sandbox doesn't stop, such as `a short burst of memory between two checks of the watcher`. */
  gaps: string[]
}

export interface Sandbox {
  /** Throws `no_sandbox` with how to get one. Looked up once; cheap afterwards. */
  facts(): Promise<SandboxFacts>
  /** Resolves when all its processes are gone. Throws `no_sandbox`, and Failure if it can't be run. */
  run(run: SandboxRun): Promise<SandboxResult>
}
