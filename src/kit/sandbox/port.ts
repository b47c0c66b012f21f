/** What one command may use. Bytes are bytes, times milliseconds. */
export interface SandboxLimits {
  timeoutMs: number
  /** Of stdout and stderr together; what comes after it is dropped and the command ended. */
  outputBytes: number
  /** Largest file that it may write. */
  fileBytes: number
  /** Of all its processes together. */
  memoryBytes: number
  /** Processes and threads that exist at the same time. */
  processes: number
  /** Of the private /tmp. */
  temporaryBytes: number
}

/** A command in a sandbox. */
export interface SandboxRun {
  /** Program and arguments, as the sandbox sees them. */
  argv: string[]
  /** Absolute path outside. The command sees it at `insideWorkspace`. */
  workspace: string
  /** Folders of the workspace in which the command may write; it only reads the rest. Absent: it may write everywhere. */
  writable?: string[]
  /** Files of the workspace that stand there with exactly these bytes, read-only, whatever lies there by now. */
  pinned: { path: string; bytes: Uint8Array }[]
  /** What Python may import beside what the system has, and never in its place: `helper.py`. */
  modules?: { name: string; bytes: Uint8Array }[]
  /** Relative to the workspace; '' is the workspace. */
  directory: string
  /** The whole environment beside PATH, HOME, LANG, TMPDIR and the proxy's. */
  environment: Record<string, string>
  /** Names or `*.name` that it may reach, by the filtering proxy only. Empty: no network at all. */
  hosts: string[]
  limits: SandboxLimits
  /** Text as it comes. Never more in all than `outputBytes`. Must not throw. */
  output(stream: 'stdout' | 'stderr', text: string): void
  signal: AbortSignal
}

/** Where the command finds its workspace. */
export const insideWorkspace = '/workspace'

/** Its HOME: empty at the start, so that nobody has left settings for a program there, and gone at its end. */
export const insideHome = '/home/bobbin'

/** How a command ended. `by`: itself, a limit, or the signal. */
export interface SandboxResult {
  by: 'itself' | 'timeout' | 'output' | 'memory' | 'processes' | 'stop'
  /** Undefined when it was ended by a signal. A shell that ends with 128 and the number of a signal says that it was. */
  exitCode: number | undefined
  /** Such as SIGSEGV. */
  endedBy: string | undefined
  stdout: string
  stderr: string
  durationMs: number
  /** Hosts that it tried to reach and was not let to, each with why. */
  refusedHosts: { host: string; why: string }[]
}

/** Which limits hold here, and by what: for doctor, the start, and whoever asks. Sentences without the full stop. */
export interface SandboxFacts {
  /** `none`: the operator wants commands without one. */
  kind: 'bubblewrap' | 'none'
  version: string
  memory: 'cgroup' | 'watcher' | 'nothing'
  processes: 'cgroup' | 'watcher' | 'nothing'
  /** Where a command finds them, by full path inside. Python is the system's; one in a home directory is not inside. */
  programs: { bash: string; node: string; python: string | undefined }
  /** What this sandbox does not stop, such as `a short burst of memory between two looks of the watcher`. */
  gaps: string[]
}

export interface Sandbox {
  /** Throws `no_sandbox` with the way to get one. Looked up once; cheap afterwards. */
  facts(): Promise<SandboxFacts>
  /** Resolves when every process of it is gone. Throws `no_sandbox`, and Failure for what cannot be run. */
  run(run: SandboxRun): Promise<SandboxResult>
}
