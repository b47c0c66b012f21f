/** A program that processes what strangers made: one of our own modules, or one of the machine. */
export type ContainedProgram = ContainedLimits & (ContainedModule | ContainedCommand)

export interface ContainedModule {
  /** Absolute path. It reads and writes descriptor 3. */
  module: string
  /** It may load libraries of packages. */
  addons?: boolean
  compiled?: CompiledCode
}

/** What Node compiled in earlier starts, which makes this one quicker. Without bubblewrap it isn't used. */
export interface CompiledCode {
  /** Absolute path. */
  folder: string
  /** The program adds to it: only for one that meets nothing of strangers. */
  adds?: boolean
}

export interface ContainedCommand {
  /** The absolute path of a program, and its arguments. It reads stdin and writes stdout. */
  command: readonly string[]
}

export interface ContainedLimits {
  /** Absolute paths of files and folders that it may read. It sees nothing else of ours, and writes nothing. */
  reads: string[]
  /** Bytes of JavaScript heap. */
  heapBytes: number
  /** Bytes of everything beside the heap. */
  bufferBytes: number
  /** Seconds of CPU time in all. */
  processorSeconds: number
}

/** How a program ended; `signal` is undefined if it ended by itself. */
export interface ContainedEnd {
  exitCode: number | undefined
  signal: string | undefined
  /** The end of what it wrote to stderr. */
  stderr: string
}

export interface ContainedProcess {
  /** What the program writes, as it comes. It ends with the program. */
  output: AsyncIterable<Uint8Array>
  send(bytes: Uint8Array): void
  /** The program reads no more after what was sent. */
  finish(): void
  /** Resolves when no process of it is left. */
  ended: Promise<ContainedEnd>
  kill(): void
  /** The memory that it uses now, in bytes; 0 if unknown. */
  residentBytes(): Promise<number>
}

export interface ContainmentFacts {
  kind: 'bubblewrap' | 'process'
  /** Why there is no bubblewrap, and how to get one. */
  why?: { message: string; remedy: string }
}

export interface Containment {
  /** Throws if it can't be started. The child ends when the bot's process ends, for whatever reason. */
  start(program: ContainedProgram): Promise<ContainedProcess>
  facts(): Promise<ContainmentFacts>
}
