/** An entry of a workspace. `path` is relative to its root, with forward slashes; `size` in bytes; times in ms. */
export interface WorkspaceEntry {
  path: string
  kind: 'file' | 'directory' | 'other'
  size: number
  modifiedAt: number
}

/**
 * A session's directory: `skills/` (read-only), `uploads/`, `outputs/`, `temp/`. Paths are relative to its root.
 * Every member refuses what lies outside, absolute paths, `..`, NUL and links (also ones that are swapped in while it
 * works) by throwing a Failure with code `path_refused` whose text the model can read.
 */
export interface Workspace {
  /** Absolute path of the directory, for people and the sandbox. Tools never join it with anything. */
  readonly root: string
  /** The one spelling of a path: no `./`, no doubled slashes, NFC kept as it is. Throws `path_refused`. */
  normalize(path: string): string
  /** Undefined when nothing is there. */
  stat(path: string): Promise<WorkspaceEntry | undefined>
  /** Throws `not_found`, `not_a_file`, `too_large` (over `maxBytes`). */
  read(path: string, maxBytes?: number): Promise<Buffer>
  /** A slice of a file, for what is too large to read whole. Shorter at the end of the file. */
  readRange(path: string, offset: number, length: number): Promise<Buffer>
  /**
   * Replaces the file as a whole or not at all, also when the power fails. Makes parent folders.
   * Only in uploads/, outputs/, temp/. `exclusive` throws `exists` when the name is taken.
   */
  write(
    path: string,
    content: string | Uint8Array | AsyncIterable<Uint8Array>,
    options?: { exclusive?: boolean },
  ): Promise<void>
  /** The entries of one folder, sorted by name. Throws `not_found`, `not_a_folder`. */
  list(path: string): Promise<WorkspaceEntry[]>
  /** All files below a folder, links not followed. Hidden ones, .git, node_modules and __pycache__ left out unless `all`. */
  walk(path: string, options?: { all?: boolean }): AsyncIterable<WorkspaceEntry>
  /** A command has written beside it: what lies in it is measured before the next write. */
  remeasure(): void
  /** Runs `work` while nobody else who asked for the same path runs: read, change and write as one. */
  exclusively<T>(path: string, work: () => Promise<T>): Promise<T>
}
